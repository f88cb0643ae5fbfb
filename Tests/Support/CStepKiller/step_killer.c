// Kills the process at a call of the system, or lets the call fail, by standing in for the functions of the C
// library.
//
// The linker prefers the definitions of an executable over those of its libraries, so these functions are called by
// Foundation too. They hand everything on to the system itself.

#include "step_killer.h"

#include <signal.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/types.h>
#include <unistd.h>

void kill_after_microseconds(long time) {
    struct itimerval timer = {{0, 0}, {time / 1000000, time % 1000000}};
    setitimer(ITIMER_REAL, &timer, 0);
}

void fill_disk(void) {
    struct rlimit limit = {0, 0};
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &limit);
}

void trace_process(void) {
#if defined(__linux__)
    ptrace(PTRACE_TRACEME, 0, 0, 0);
#else
    ptrace(PT_TRACE_ME, 0, 0, 0);
#endif
}

int copy_process(void) {
#if defined(__linux__)
    return fork();
#else
    return -1;
#endif
}

#if defined(__linux__) && defined(__GLIBC__) && (defined(__x86_64__) || defined(__aarch64__))

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>

static atomic_long steps;
static atomic_long bytes_read;
static atomic_long renames_of_unsynced;
static atomic_long last_written;
static atomic_long last_step;
static atomic_int is_armed;
/// The error of the last step, or 0 if it kills.
static atomic_int failure;

void kill_at_step(long step) {
    last_step = step;
    is_armed = 1;
}

void fail_at_step(long step, int error) {
    failure = error;
    kill_at_step(step);
}

long count_of_steps(void) { return steps; }

long count_of_bytes(void) { return bytes_read; }

long count_of_renames_of_unsynced(void) { return renames_of_unsynced; }

/// Only calls of the main thread count: Dispatch's own threads make theirs at any time.
static int is_last(void) {
    return is_armed && syscall(SYS_gettid) == getpid() && atomic_fetch_add(&steps, 1) + 1 == last_step;
}

/// Kills the process at the last step, or sets its error.
static int fails(void) {
    if (!failure) kill(getpid(), SIGKILL);
    errno = failure;
    return -1;
}

int open(const char *path, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = flags & O_CREAT ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    if (is_last()) return fails();
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

/// The other name of the same function, on systems whose offsets have 64 bits.
int open64(const char *path, int flags, ...) __attribute__((alias("open")));

ssize_t write(int file, const void *bytes, size_t count) {
    // What is printed is no step.
    if (file > STDERR_FILENO && is_last()) {
        // A part is written, as on a disk that is full.
        syscall(SYS_write, file, bytes, count / 2);
        return fails();
    }
    if (file > STDERR_FILENO) last_written = file;
    return syscall(SYS_write, file, bytes, count);
}

ssize_t pread(int file, void *bytes, size_t count, off_t offset) {
    if (is_last()) return fails();
    ssize_t result = syscall(SYS_pread64, file, bytes, count, offset);
    if (is_armed && result > 0) bytes_read += result;
    return result;
}

ssize_t pread64(int file, void *bytes, size_t count, off_t offset) { return pread(file, bytes, count, offset); }

ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) {
    if (is_last()) {
        syscall(SYS_pwrite64, file, bytes, count / 2, offset);
        return fails();
    }
    last_written = file;
    return syscall(SYS_pwrite64, file, bytes, count, offset);
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off_t offset) { return pwrite(file, bytes, count, offset); }

int ftruncate(int file, off_t size) {
    if (is_last()) return fails();
    return (int)syscall(SYS_ftruncate, file, size);
}

int ftruncate64(int file, off_t size) { return ftruncate(file, size); }

int fsync(int file) {
    if (is_last()) return fails();
    if (file == last_written) last_written = 0;
    return (int)syscall(SYS_fsync, file);
}

int rename(const char *old, const char *new) {
    if (is_last()) return fails();
    // The files are written one after the other.
    if (last_written) renames_of_unsynced++;
    last_written = 0;
    return (int)syscall(SYS_renameat2, AT_FDCWD, old, AT_FDCWD, new, 0);
}

int unlink(const char *path) {
    if (is_last()) return fails();
    return (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
}

int mkdir(const char *path, mode_t mode) {
    if (is_last()) return fails();
    return (int)syscall(SYS_mkdirat, AT_FDCWD, path, mode);
}

int flock(int file, int operation) {
    if (is_last()) return fails();
    return (int)syscall(SYS_flock, file, operation);
}

#else

void kill_at_step(long step) {}
void fail_at_step(long step, int error) {}
long count_of_steps(void) { return -1; }
long count_of_bytes(void) { return -1; }
long count_of_renames_of_unsynced(void) { return -1; }

#endif
