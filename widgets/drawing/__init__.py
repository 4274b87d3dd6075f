"""From a trace or a graph to a picture, which Graphviz lays out once."""
