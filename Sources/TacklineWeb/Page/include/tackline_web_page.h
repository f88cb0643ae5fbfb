#ifndef TACKLINE_WEB_PAGE_H
#define TACKLINE_WEB_PAGE_H

#include <stddef.h>

/// Returns the name of a file of the page, or NULL after the last one, and sets its text, which is UTF-8 without an end.
const char *tackline_web_page_file(size_t index, const unsigned char **bytes, size_t *count);

#endif
