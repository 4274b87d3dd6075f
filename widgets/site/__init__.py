"""The course as static pages: steppers step, questions judge, search finds, without a kernel or a network."""
