"""Types of number: their names, in which one an operation computes, and how it rounds."""
