"""Where documents contradict the code: statements, the code's facts, what disagrees."""
