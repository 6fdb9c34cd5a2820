def file_facts(source): return [], []
def python_facts(a): return []
