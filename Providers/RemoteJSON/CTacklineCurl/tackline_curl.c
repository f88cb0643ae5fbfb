#include "tackline_curl.h"

#if defined(__linux__)

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

// From curl/curl.h and curl/multi.h, whose numbers and layouts are part of libcurl's interface and never change.

typedef void CURL;
typedef void CURLM;
struct curl_slist;

typedef struct {
    int msg;
    CURL *easy_handle;
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
    opt_postfieldsize = 60,
    opt_copypostfields = 10165,
    opt_cainfo = 10065,
    opt_accept_encoding = 10102,
    opt_writefunction = 20011,
    opt_headerfunction = 20079,
    opt_nosignal = 99,
    opt_protocols = 181,
    opt_suppress_connect_headers = 265,
    msg_done = 1,
    global_default = 3,
    protocol_http = 1,
    protocol_https = 2,
    pause_continue = 0,
};

static const size_t writefunc_pause = 0x10000001;

/// libcurl's functions with their own types. Variadic functions must be called as such, since some processors use
/// another calling convention for them.
static struct {
    int (*global_init)(long flags);
    CURL *(*easy_init)(void);
    void (*easy_cleanup)(CURL *);
    int (*easy_setopt)(CURL *, int option, ...);
    int (*easy_pause)(CURL *, int mask);
    const char *(*easy_strerror)(int);
    struct curl_slist *(*slist_append)(struct curl_slist *, const char *);
    void (*slist_free_all)(struct curl_slist *);
    CURLM *(*multi_init)(void);
    int (*multi_cleanup)(CURLM *);
    int (*multi_add_handle)(CURLM *, CURL *);
    int (*multi_remove_handle)(CURLM *, CURL *);
    int (*multi_perform)(CURLM *, int *running);
    int (*multi_poll)(CURLM *, void *, unsigned int, int milliseconds, int *);
    int (*multi_wakeup)(CURLM *);
    CURLMsg *(*multi_info_read)(CURLM *, int *rest);
} curl;

static int is_available = 0;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void look_up(void) {
    const struct {
        const char *name;
        void *place;
    } functions[] = {
        {"curl_global_init", &curl.global_init},
        {"curl_easy_init", &curl.easy_init},
        {"curl_easy_cleanup", &curl.easy_cleanup},
        {"curl_easy_setopt", &curl.easy_setopt},
        {"curl_easy_pause", &curl.easy_pause},
        {"curl_easy_strerror", &curl.easy_strerror},
        {"curl_slist_append", &curl.slist_append},
        {"curl_slist_free_all", &curl.slist_free_all},
        {"curl_multi_init", &curl.multi_init},
        {"curl_multi_cleanup", &curl.multi_cleanup},
        {"curl_multi_add_handle", &curl.multi_add_handle},
        {"curl_multi_remove_handle", &curl.multi_remove_handle},
        {"curl_multi_perform", &curl.multi_perform},
        {"curl_multi_poll", &curl.multi_poll},
        {"curl_multi_wakeup", &curl.multi_wakeup},
        {"curl_multi_info_read", &curl.multi_info_read},
    };
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        void *found = dlsym(RTLD_DEFAULT, functions[i].name);
        if (!found) return;
        memcpy(functions[i].place, &found, sizeof found);
    }
    is_available = curl.global_init(global_default) == 0;
}

int tackline_curl_is_available(void) {
    pthread_once(&once, look_up);
    return is_available;
}

struct tackline_curl {
    CURL *easy;
    CURLM *multi;
    struct curl_slist *lines;
    void *context;
    tackline_curl_receiver line;
    tackline_curl_receiver body;
    atomic_int is_stopped;
    atomic_int proceeds;
    char message[256];
};

tackline_curl *tackline_curl_make(void) {
    if (!tackline_curl_is_available()) return NULL;
    tackline_curl *request = calloc(1, sizeof *request);
    if (!request) return NULL;
    request->easy = curl.easy_init();
    request->multi = curl.multi_init();
    if (request->easy && request->multi) return request;
    tackline_curl_destroy(request);
    return NULL;
}

void tackline_curl_destroy(tackline_curl *request) {
    if (request->easy && request->multi) curl.multi_remove_handle(request->multi, request->easy);
    if (request->easy) curl.easy_cleanup(request->easy);
    if (request->multi) curl.multi_cleanup(request->multi);
    curl.slist_free_all(request->lines);
    free(request);
}

int tackline_curl_add_line(tackline_curl *request, const char *line) {
    struct curl_slist *longer = curl.slist_append(request->lines, line);
    if (longer) request->lines = longer;
    return longer != NULL;
}

int tackline_curl_set_body(tackline_curl *request, const void *bytes, size_t count) {
    if (count > LONG_MAX) return 0;
    // The size is set first, since without it the body would end at its first zero.
    int failed = curl.easy_setopt(request->easy, opt_postfieldsize, (long)count);
    return (failed | curl.easy_setopt(request->easy, opt_copypostfields, count ? bytes : "")) == 0;
}

/// Returns a number of bytes other than `count`, which libcurl interprets as a failure to take the bytes.
static size_t other_than(size_t count) { return count == 0 ? 1 : 0; }

static size_t receive_line(char *bytes, size_t size, size_t count, void *context) {
    tackline_curl *request = context;
    int answer = request->line(request->context, (const unsigned char *)bytes, size * count);
    return answer == tackline_curl_taken ? size * count : other_than(size * count);
}

static size_t receive_body(char *bytes, size_t size, size_t count, void *context) {
    tackline_curl *request = context;
    int answer = request->body(request->context, (const unsigned char *)bytes, size * count);
    if (answer == tackline_curl_wait) return writefunc_pause;
    return answer == tackline_curl_taken ? size * count : other_than(size * count);
}

int tackline_curl_set(
    tackline_curl *request, const char *url, const char *authorities, void *context, tackline_curl_receiver line,
    tackline_curl_receiver body) {
    CURL *easy = request->easy;
    request->context = context;
    request->line = line;
    request->body = body;
    int failed = curl.easy_setopt(easy, opt_errorbuffer, request->message);
    failed |= curl.easy_setopt(easy, opt_url, url);
    failed |= curl.easy_setopt(easy, opt_httpheader, request->lines);
    // Asks for an uncompressed answer. A compressed one is decoded nevertheless.
    failed |= curl.easy_setopt(easy, opt_accept_encoding, "identity");
    failed |= curl.easy_setopt(easy, opt_nosignal, 1L);
    failed |= curl.easy_setopt(easy, opt_protocols, (long)(protocol_http | protocol_https));
    failed |= curl.easy_setopt(easy, opt_writedata, request);
    failed |= curl.easy_setopt(easy, opt_headerdata, request);
    failed |= curl.easy_setopt(easy, opt_writefunction, receive_body);
    failed |= curl.easy_setopt(easy, opt_headerfunction, receive_line);
    if (authorities) failed |= curl.easy_setopt(easy, opt_cainfo, authorities);
    curl.easy_setopt(easy, opt_suppress_connect_headers, 1L);
    return failed == 0 && curl.multi_add_handle(request->multi, easy) == 0;
}

int tackline_curl_perform(tackline_curl *request) {
    // TLS may write to a connection that the server has closed, which must not end the process.
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &signals, NULL);
    int running = 1;
    while (!atomic_load(&request->is_stopped)) {
        if (atomic_exchange(&request->proceeds, 0)) curl.easy_pause(request->easy, pause_continue);
        if (curl.multi_perform(request->multi, &running) != 0 || running == 0) break;
        curl.multi_poll(request->multi, NULL, 0, 1000, NULL);
    }
    int rest = 0;
    CURLMsg *message;
    while ((message = curl.multi_info_read(request->multi, &rest))) {
        if (message->msg == msg_done) return message->data.result;
    }
    return -1;
}

const char *tackline_curl_message(tackline_curl *request, int code) {
    return request->message[0] ? request->message : curl.easy_strerror(code);
}

void tackline_curl_stop(tackline_curl *request) {
    atomic_store(&request->is_stopped, 1);
    curl.multi_wakeup(request->multi);
}

void tackline_curl_proceed(tackline_curl *request) {
    atomic_store(&request->proceeds, 1);
    curl.multi_wakeup(request->multi);
}

#endif
