#ifndef TACKLINE_CURL_H
#define TACKLINE_CURL_H

// Requests by GET and POST by the libcurl that is in the process, which is looked up there: it is neither linked nor are its headers
// needed. Everywhere but on Linux and Android there is none.

#include <stddef.h>

/// One request, for the thread that performs it, but for tackline_curl_stop and tackline_curl_proceed.
typedef struct tackline_curl tackline_curl;

/// What a receiver answers: the bytes were taken; the request is over; the bytes shall come again after
/// tackline_curl_proceed.
enum { tackline_curl_taken = 0, tackline_curl_over = 1, tackline_curl_wait = 2 };

/// Takes a line of the header, or a portion of the body, decoded.
typedef int (*tackline_curl_receiver)(void *context, const unsigned char *bytes, size_t count);

/// Whether the process has a libcurl that will do, 7.68 (of 2020) or later.
int tackline_curl_is_available(void);

/// Returns a request, or NULL if there is no memory.
tackline_curl *tackline_curl_make(void);
void tackline_curl_destroy(tackline_curl *request);

/// Adds a line to the header of the request. Returns whether that worked, as the next function does.
int tackline_curl_add_line(tackline_curl *request, const char *line);

/// Makes it a POST with a body, which is copied.
int tackline_curl_set_body(tackline_curl *request, const void *bytes, size_t count);

/// Sets everything else. `authorities` is the path of a file with the certificates to trust, or NULL for the system's.
int tackline_curl_set(
    tackline_curl *request, const char *url, const char *authorities, void *context, tackline_curl_receiver line,
    tackline_curl_receiver body);

/// Makes the request and waits for its end. Returns libcurl's code for it, 0 for success, or -1 if it was stopped.
int tackline_curl_perform(tackline_curl *request);

/// Describes a code that tackline_curl_perform returned.
const char *tackline_curl_message(tackline_curl *request, int code);

/// From any thread, before tackline_curl_destroy: ends the request; has the receiver asked again.
void tackline_curl_stop(tackline_curl *request);
void tackline_curl_proceed(tackline_curl *request);

#endif
