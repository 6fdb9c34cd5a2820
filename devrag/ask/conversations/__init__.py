"""Conversations: kept questions and answers, who may see them, what became of them."""
