#include "tackline_curl.h"

#if defined(__linux__)

#include <pthread.h>
#include <signal.h>

// From curl/curl.h and curl/multi.h, whose numbers and layouts are part of libcurl's interface and never change. The symbols
// are weak, so a program without libcurl is linked, and their addresses are NULL in it.

typedef struct {
    int msg;
    void *easy_handle;
    union { void *whatever; int result; } data;
} CURLMsg;

enum {
    opt_writedata = 10001, opt_url = 10002, opt_httpheader = 10023, opt_headerdata = 10029,
    opt_accept_encoding = 10102, opt_private = 10103, opt_copypostfields = 10165, opt_writefunction = 20011,
    opt_headerfunction = 20079, opt_nosignal = 99, opt_protocols = 181, opt_suppress_connect_headers = 265,
    opt_quick_exit = 322,
    info_private = 0x100000 + 21, msg_done = 1, global_default = 3, protocols_http_and_https = 3,
};

#pragma clang attribute push(__attribute__((weak)), apply_to = function)
extern int curl_global_init(long flags);
extern void *curl_easy_init(void);
extern void curl_easy_cleanup(void *);
extern int curl_easy_setopt(void *, int option, ...);
extern int curl_easy_getinfo(void *, int info, ...);
extern const char *curl_easy_strerror(int);
extern void *curl_slist_append(void *, const char *);
extern void curl_slist_free_all(void *);
extern void *curl_multi_init(void);
extern int curl_multi_add_handle(void *, void *);
extern int curl_multi_remove_handle(void *, void *);
extern int curl_multi_perform(void *, int *running);
extern int curl_multi_poll(void *, void *, unsigned int, int milliseconds, int *);
extern int curl_multi_wakeup(void *);
extern CURLMsg *curl_multi_info_read(void *, int *rest);
#pragma clang attribute pop

/// The handle for all requests of the process.
static void *multi = NULL;

int tackline_curl_prepare(void) {
    // The newest of the functions.
    if (!curl_multi_wakeup || curl_global_init(global_default) != 0) return 0;
    multi = curl_multi_init();
    return multi != NULL;
}

void *tackline_curl_add_field(void *fields, const char *line) { return curl_slist_append(fields, line); }

void *tackline_curl_begin(
    const char *url, void *fields, const char *body, void *context, tackline_curl_receiver header,
    tackline_curl_receiver receiver) {
    void *easy = curl_easy_init();
    if (!easy) return NULL;
    int failed = curl_easy_setopt(easy, opt_private, context);
    failed |= curl_easy_setopt(easy, opt_url, url);
    failed |= curl_easy_setopt(easy, opt_httpheader, fields);
    // Asks for an uncompressed answer. A compressed one is decoded nevertheless.
    failed |= curl_easy_setopt(easy, opt_accept_encoding, "identity");
    failed |= curl_easy_setopt(easy, opt_nosignal, 1L);
    failed |= curl_easy_setopt(easy, opt_protocols, (long)protocols_http_and_https);
    failed |= curl_easy_setopt(easy, opt_writedata, context);
    failed |= curl_easy_setopt(easy, opt_headerdata, context);
    failed |= curl_easy_setopt(easy, opt_writefunction, receiver);
    failed |= curl_easy_setopt(easy, opt_headerfunction, header);
    if (body) failed |= curl_easy_setopt(easy, opt_copypostfields, body);
    curl_easy_setopt(easy, opt_suppress_connect_headers, 1L);
    // So that removing a request doesn't wait for the thread that looks up its host, where libcurl knows the option.
    curl_easy_setopt(easy, opt_quick_exit, 1L);
    if (!failed && curl_multi_add_handle(multi, easy) == 0) return easy;
    curl_easy_cleanup(easy);
    return NULL;
}

void tackline_curl_end(void *easy, void *fields) {
    if (easy) curl_multi_remove_handle(multi, easy);
    if (easy) curl_easy_cleanup(easy);
    curl_slist_free_all(fields);
}

void tackline_curl_step(void (*finished)(void *, int, const char *)) {
    // TLS may write to a connection that the server has closed.
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &signals, NULL);
    int number = 0;
    CURLMsg *message;
    // Without requests it sleeps until it is woken; libcurl shortens the time as it needs.
    curl_multi_poll(multi, NULL, 0, 60000, NULL);
    curl_multi_perform(multi, &number);
    while ((message = curl_multi_info_read(multi, &number))) {
        if (message->msg != msg_done) continue;
        int code = message->data.result;
        void *context = NULL;
        curl_easy_getinfo(message->easy_handle, info_private, &context);
        finished(context, code, curl_easy_strerror(code));
    }
}

void tackline_curl_wake(void) { curl_multi_wakeup(multi); }

#endif
