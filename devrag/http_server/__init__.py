"""The web process: uvicorn with limits on time, connections and request bodies."""
