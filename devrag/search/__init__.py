"""One search() behind every door: lexical, semantic, fusion, ranking."""
