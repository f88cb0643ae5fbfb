#ifndef TACKLINE_WEB_PAGE_H
#define TACKLINE_WEB_PAGE_H

#include <stddef.h>

/// Returns the name of a file of the page, or NULL after the last one, and sets its text in UTF-8, which ends with a 0.
const char *tackline_web_page_file(size_t index, const unsigned char **text);

#endif
