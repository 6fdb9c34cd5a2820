"""How products and the instance do over time: what is measured, kept and told of it."""
