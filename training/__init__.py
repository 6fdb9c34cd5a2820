"""Train the local embedding model further, to find code and documentation.

pairs         questions with the texts that answer them
repositories  files of bare repositories, as the product parses them
changes       subjects of commits with the definitions that they changed
bundle        token ids and weights for a machine that has torch and numpy alone
encoder       the model in torch
train         runs that change the model so that a question is near its text
blend         means of several runs; the best is written
bench         evaluates and writes what was changed
evaluate      how well vectors alone find what answers
adapter       what training changed, as the product ships it

Decision 32 says what was learned from and what came of it.
"""
