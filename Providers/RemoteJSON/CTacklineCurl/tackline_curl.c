#include "tackline_curl.h"

#if defined(__linux__)

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

// From curl/curl.h and curl/multi.h, whose numbers and layouts are part of libcurl's interface and never change.

typedef struct {
    int msg;
    void *easy_handle;
    union {
        void *whatever;
        int result;
    } data;
} CURLMsg;

enum {
    opt_writedata = 10001,
    opt_url = 10002,
    opt_errorbuffer = 10010,
    opt_httpheader = 10023,
    opt_headerdata = 10029,
    opt_cainfo = 10065,
    opt_accept_encoding = 10102,
    opt_private = 10103,
    opt_copypostfields = 10165,
    opt_writefunction = 20011,
    opt_headerfunction = 20079,
    opt_nosignal = 99,
    opt_protocols = 181,
    opt_suppress_connect_headers = 265,
    opt_quick_exit = 322,
    opt_postfieldsize_large = 30120,
    multi_opt_maxconnects = 6,
    info_private = 0x100000 + 21,
    msg_done = 1,
    global_default = 3,
    protocols_http_and_https = 3,
};

/// libcurl's functions with their own types. Variadic functions must be called as such, since some processors use
/// another calling convention for them.
static struct {
    int (*global_init)(long flags);
    void *(*easy_init)(void);
    void (*easy_cleanup)(void *);
    int (*easy_setopt)(void *, int option, ...);
    int (*easy_getinfo)(void *, int info, ...);
    const char *(*easy_strerror)(int);
    void *(*slist_append)(void *, const char *);
    void (*slist_free_all)(void *);
    void *(*multi_init)(void);
    int (*multi_setopt)(void *, int option, ...);
    int (*multi_add_handle)(void *, void *);
    int (*multi_remove_handle)(void *, void *);
    int (*multi_perform)(void *, int *running);
    int (*multi_poll)(void *, void *, unsigned int, int milliseconds, int *);
    int (*multi_wakeup)(void *);
    CURLMsg *(*multi_info_read)(void *, int *rest);
} curl;

/// The state of one request, kept until it ends. libcurl holds it as the private pointer of its handle.
struct request {
    void *context;
    void *fields;
    char message[256];
};

static void *multi = NULL;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void look_up(void) {
    static const char *const names[] = {
        "global_init",  "easy_init",      "easy_cleanup", "easy_setopt",  "easy_getinfo",     "easy_strerror",
        "slist_append", "slist_free_all", "multi_init",   "multi_setopt", "multi_add_handle", "multi_remove_handle",
        "multi_perform", "multi_poll",    "multi_wakeup", "multi_info_read",
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char name[40] = "curl_";
        strcat(name, names[i]);
        void *found = dlsym(RTLD_DEFAULT, name);
        if (!found) return;
        memcpy((char *)&curl + i * sizeof found, &found, sizeof found);
    }
    if (curl.global_init(global_default) != 0) return;
    multi = curl.multi_init();
    // Connections that are kept to be used again.
    if (multi) curl.multi_setopt(multi, multi_opt_maxconnects, 32L);
}

void *tackline_curl_multi(void) {
    pthread_once(&once, look_up);
    return multi;
}

static void destroy(void *easy, struct request *request) {
    if (easy) curl.easy_cleanup(easy);
    curl.slist_free_all(request->fields);
    free(request);
}

/// Appends the lines to the header fields. Returns whether that failed.
static int add_fields(struct request *request, const char *lines) {
    char *copy = strdup(lines), *rest = NULL;
    int failed = copy == NULL;
    for (char *line = copy; !failed && (line = strtok_r(line, "\n", &rest)); line = NULL) {
        void *longer = curl.slist_append(request->fields, line);
        failed = longer == NULL;
        if (longer) request->fields = longer;
    }
    free(copy);
    return failed;
}

void *tackline_curl_begin(
    void *multi, const char *url, const char *fields, const void *body, size_t body_size, const char *authorities,
    void *context, tackline_curl_receiver header, tackline_curl_receiver receiver) {
    struct request *request = calloc(1, sizeof *request);
    if (!request) return NULL;
    request->context = context;
    void *easy = curl.easy_init();
    int failed = easy == NULL || add_fields(request, fields);
    if (!failed) {
        failed |= curl.easy_setopt(easy, opt_private, request);
        failed |= curl.easy_setopt(easy, opt_errorbuffer, request->message);
        failed |= curl.easy_setopt(easy, opt_url, url);
        failed |= curl.easy_setopt(easy, opt_httpheader, request->fields);
        // Asks for an uncompressed answer. A compressed one is decoded nevertheless.
        failed |= curl.easy_setopt(easy, opt_accept_encoding, "identity");
        failed |= curl.easy_setopt(easy, opt_nosignal, 1L);
        failed |= curl.easy_setopt(easy, opt_protocols, (long)protocols_http_and_https);
        failed |= curl.easy_setopt(easy, opt_writedata, context);
        failed |= curl.easy_setopt(easy, opt_headerdata, context);
        failed |= curl.easy_setopt(easy, opt_writefunction, receiver);
        failed |= curl.easy_setopt(easy, opt_headerfunction, header);
        if (authorities) failed |= curl.easy_setopt(easy, opt_cainfo, authorities);
        if (body) {
            // The size is set first, since without it the body would end at its first zero.
            failed |= curl.easy_setopt(easy, opt_postfieldsize_large, (long long)body_size);
            failed |= curl.easy_setopt(easy, opt_copypostfields, body);
        }
        curl.easy_setopt(easy, opt_suppress_connect_headers, 1L);
        // So that removing a request doesn't wait for the thread that looks up its host, where libcurl knows the option.
        curl.easy_setopt(easy, opt_quick_exit, 1L);
    }
    if (!failed && curl.multi_add_handle(multi, easy) == 0) return easy;
    destroy(easy, request);
    return NULL;
}

static struct request *request_of(void *easy) {
    struct request *request = NULL;
    curl.easy_getinfo(easy, info_private, &request);
    return request;
}

void tackline_curl_end(void *multi, void *easy) {
    struct request *request = request_of(easy);
    curl.multi_remove_handle(multi, easy);
    destroy(easy, request);
}

void tackline_curl_run(
    void *multi, void (*prepare)(void *), void *owner, void (*finished)(void *, int, const char *)) {
    // TLS may write to a connection that the server has closed.
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &signals, NULL);
    for (;;) {
        int number = 0;
        CURLMsg *message;
        prepare(owner);
        // Without requests it sleeps until it is woken; libcurl shortens the time as it needs.
        curl.multi_poll(multi, NULL, 0, 60000, NULL);
        curl.multi_perform(multi, &number);
        while ((message = curl.multi_info_read(multi, &number))) {
            if (message->msg != msg_done) continue;
            void *easy = message->easy_handle;
            int code = message->data.result;
            struct request *request = request_of(easy);
            finished(request->context, code, request->message[0] ? request->message : curl.easy_strerror(code));
            tackline_curl_end(multi, easy);
        }
    }
}

void tackline_curl_wake(void *multi) { curl.multi_wakeup(multi); }

#endif
