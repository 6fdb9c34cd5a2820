"""The structural writer: honest prose from facts, without a language model."""
