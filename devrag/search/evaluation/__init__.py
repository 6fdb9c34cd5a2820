"""How good search is: questions with known answers, asked through search() itself."""
