"""One search() behind every entry point: lexical, semantic, fusion, ranking."""
