"""Pages written by a language model, section by section, from numbered evidence."""
