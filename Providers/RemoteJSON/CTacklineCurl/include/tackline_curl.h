#ifndef TACKLINE_CURL_H
#define TACKLINE_CURL_H

// GET and POST requests by the libcurl in the process. It is found at run time, so neither a link to
// it nor its headers are needed. It is available only on Linux and Android.

#include <stddef.h>

/// One request. Only tackline_curl_stop and tackline_curl_proceed may be called on another thread than the one that
/// performs it.
typedef struct tackline_curl tackline_curl;

/// The results of a receiver: the bytes were taken; the request is over; the bytes are to be delivered again after
/// tackline_curl_proceed.
enum { tackline_curl_taken = 0, tackline_curl_over = 1, tackline_curl_wait = 2 };

/// Receives a line of the header, or a portion of the decoded body.
typedef int (*tackline_curl_receiver)(void *context, const unsigned char *bytes, size_t count);

/// Returns whether the process has libcurl 7.68 (of 2020) or later.
int tackline_curl_is_available(void);

/// Returns a request, or NULL if there is no memory.
tackline_curl *tackline_curl_make(void);
void tackline_curl_destroy(tackline_curl *request);

/// Adds a line to the header of the request. Returns whether that worked, as the next function does.
int tackline_curl_add_line(tackline_curl *request, const char *line);

/// Makes the request a POST request with a body, which is copied.
int tackline_curl_set_body(tackline_curl *request, const void *bytes, size_t count);

/// Sets the other options. `authorities` is the path of a file with the certificates to trust, or NULL for
/// the system's.
int tackline_curl_set(
    tackline_curl *request, const char *url, const char *authorities, void *context, tackline_curl_receiver line,
    tackline_curl_receiver body);

/// Makes the request and waits for its end. Returns libcurl's code for it, 0 for success, or -1 if it was stopped.
int tackline_curl_perform(tackline_curl *request);

/// Returns a description of a code that tackline_curl_perform returned.
const char *tackline_curl_message(tackline_curl *request, int code);

/// Ends the request, or delivers the bytes again that the receiver did not take. Any thread may call these functions
/// before tackline_curl_destroy.
void tackline_curl_stop(tackline_curl *request);
void tackline_curl_proceed(tackline_curl *request);

// Notices of changes to network interfaces, from the kernel (netlink(7), rtnetlink(7)). Only Linux has them.

/// Returns a socket that becomes readable when interfaces, addresses or routes change, or -1 if there is none.
int tackline_network_open(void);

/// Reads all notices that have arrived. Returns 1 if an interface, address or route was added or came up, 0 if
/// not, and -1 if the socket can't be read any more.
int tackline_network_read(int socket);

#endif
