#ifndef TACKLINE_MUTEX_ANNOTATIONS_H
#define TACKLINE_MUTEX_ANNOTATIONS_H

// Nothing to call: linking the target is enough. See mutex_annotations.c.

#endif
