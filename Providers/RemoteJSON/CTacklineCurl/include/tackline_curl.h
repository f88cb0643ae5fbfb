#ifndef TACKLINE_CURL_H
#define TACKLINE_CURL_H

// The functions of libcurl that a thread needs to carry all requests (its multi interface). libcurl is found in the process
// at run time, so neither a link to it nor its headers are needed. It is available only on Linux and Android.

#include <stddef.h>

/// Prepares libcurl. Returns 0 if the process has none, or one before 7.68 (of 2020).
int tackline_curl_prepare(void);

/// Receives a line of the header, or a portion of the decoded body. Any number but that of the bytes ends the request.
typedef size_t (*tackline_curl_receiver)(char *bytes, size_t size, size_t count, void *context);

/// Adds a header field to a list, which is NULL at first. Returns the list.
void *tackline_curl_add_field(void *fields, const char *line);

/// Begins a request, and returns it, or NULL if that failed. `body` is the text of a POST request, which is copied, or NULL for
/// a GET request.
void *tackline_curl_begin(
    const char *url, void *fields, const char *body, void *context, tackline_curl_receiver header,
    tackline_curl_receiver receiver);

/// Ends a request, closes its connection if it is not over, and releases its header fields.
void tackline_curl_end(void *request, void *fields);

/// Carries the requests until it is woken or something has arrived. Calls `finished` for each request that is over, with
/// libcurl's code for it (0 for success) and a description.
void tackline_curl_step(void (*finished)(void *context, int code, const char *message));

/// Ends the current step, from any thread.
void tackline_curl_wake(void);

#endif
