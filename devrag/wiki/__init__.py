"""The wiki: survey, plan, evidence, write, check, publish."""
