"""The embedding server: the local model for other processes and machines, over gRPC.

config    what `embedding-server.yaml` says, checked
models    loads models on first use and keeps them
service   the three calls of embedding.proto
listener  port, health service, reflection, an orderly end
"""
