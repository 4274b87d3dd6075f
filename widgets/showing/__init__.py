"""A run before a person: in a notebook, on a page, and as what a saved notebook keeps."""
