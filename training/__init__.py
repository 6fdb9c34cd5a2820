"""Train the local embedding model further, to find code and documentation.

pairs    questions with the texts that answer them, from repositories and translations
train    changes the model so that a question is near its text (needs torch, a GPU)
adapter  what training changed, as the product ships it

Decision 32 says what was learned from and what came of it.
"""
