#ifndef TACKLINE_CURL_H
#define TACKLINE_CURL_H

// The functions of libcurl that a thread needs to carry all requests (its multi interface). libcurl is found in the process
// at run time, so neither a link to it nor its headers are needed. It is available only on Linux and Android.

#include <stddef.h>

/// Prepares libcurl. Returns 0 if the process has none, or one before 7.68 (of 2020).
int tackline_curl_prepare(void);

/// Receives a line of the header, or a portion of the decoded body. Any number but that of the bytes ends the request.
typedef size_t (*tackline_curl_receiver)(char *bytes, size_t size, size_t count, void *context);

/// Begins a request, and returns it, or NULL if that failed. `fields` has a header field in each line. `body` is that of a
/// POST request, or NULL for a GET request. Both are copied.
void *tackline_curl_begin(
    const char *url, const char *fields, const void *body, size_t body_size, void *context, tackline_curl_receiver header,
    tackline_curl_receiver receiver);

/// Ends a request that is not over, and closes its connection.
void tackline_curl_end(void *request);

/// Carries the requests until it is woken or something has arrived. Calls `finished` for each request that is over, which
/// is then removed, with libcurl's code for it (0 for success) and a description.
void tackline_curl_step(void (*finished)(void *context, int code, const char *message));

/// Ends the current step, from any thread.
void tackline_curl_wake(void);

#endif
