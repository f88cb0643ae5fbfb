#ifndef TACKLINE_CURL_H
#define TACKLINE_CURL_H

// The functions of libcurl that a thread needs to carry all requests (its multi interface). libcurl is found in the process
// at run time, so neither a link to it nor its headers are needed. It is available only on Linux and Android.

#include <stddef.h>

/// Returns the handle for all requests of the process, or NULL without libcurl 7.68 (of 2020) or later.
void *tackline_curl_multi(void);

/// Receives a line of the header, or a portion of the decoded body. It returns the number of bytes that it took, or
/// tackline_curl_later if the body is to be offered again after tackline_curl_proceed.
typedef size_t (*tackline_curl_receiver)(char *bytes, size_t size, size_t count, void *context);
extern const size_t tackline_curl_later;

/// Adds a request to the handle, and returns it, or NULL if that failed. `lines` are the header fields, and `body` is that
/// of a POST request, or NULL for a GET request; both are copied. `authorities` is the path of a file with certificates to
/// trust, or NULL for the system's.
void *tackline_curl_begin(
    void *multi, const char *url, const char *const *lines, const void *body, size_t body_size, const char *authorities,
    void *context, tackline_curl_receiver line, tackline_curl_receiver receiver);

/// Removes a request, and closes its connection unless its answer was complete.
void tackline_curl_end(void *multi, void *request);
void tackline_curl_proceed(void *request);

/// Works on all requests until something happens on a connection, another thread calls tackline_curl_wake, or the time
/// is over.
void tackline_curl_work(void *multi, int milliseconds);
void tackline_curl_wake(void *multi);

/// Returns the next request that is over with its context and libcurl's code for it, 0 for success; NULL if there is none.
void *tackline_curl_finished(void *multi, void **context, int *code);

/// Returns a description of a code.
const char *tackline_curl_message(void *request, int code);

/// Blocks SIGPIPE on the calling thread: TLS may write to a connection that the server has closed.
void tackline_curl_block_signals(void);

/// Returns a socket that becomes readable when network interfaces, addresses or routes change (netlink(7), rtnetlink(7)),
/// or -1 if there is none.
int tackline_network_open(void);

/// Drops the notices that have arrived. Returns whether the socket can still be read.
int tackline_network_drain(int socket);

#endif
