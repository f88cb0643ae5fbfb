// Nothing to call: linking the target is enough. See mutex_annotations.c and test_width.c.
