"""A recorded run as a program: what NumPy was asked, line by line, forward and backward."""
