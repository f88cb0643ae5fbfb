// Tells Thread Sanitizer what Swift's Mutex does when it has to wait.
//
// The quick paths of `Mutex` are inlined into our code, so Thread Sanitizer sees their atomic operations. The slow ones,
// which wait in the kernel, lie in libswiftSynchronization.so, which is not instrumented: whatever a contended lock
// orders is then reported as a race. Suppressing such reports would hide true races in the same functions. So these
// functions stand in for the two slow ones, call them, and say what they order.
//
// Without Thread Sanitizer, and anywhere but on Linux, this file is empty. On a Swift whose slow paths have other names,
// nothing calls these functions, and the false reports come back; nothing is hidden.

#if defined(__has_feature)
#if __has_feature(thread_sanitizer) && defined(__linux__)

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#define SWIFT_METHOD __attribute__((swiftcall))
#define SWIFT_SELF __attribute__((swift_context))

// Synchronization._MutexHandle._lockSlow(Swift.UInt32) -> ()
#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
// Synchronization._MutexHandle._unlockSlow() -> ()
#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

extern void __tsan_acquire(void *address);
extern void __tsan_release(void *address);

SWIFT_METHOD void tackline_lock_slow(uint32_t thread, SWIFT_SELF void *mutex) __asm__(LOCK_SLOW);
SWIFT_METHOD void tackline_unlock_slow(SWIFT_SELF void *mutex) __asm__(UNLOCK_SLOW);

SWIFT_METHOD void tackline_lock_slow(uint32_t thread, SWIFT_SELF void *mutex) {
    ((__typeof__(&tackline_lock_slow))dlsym(RTLD_NEXT, LOCK_SLOW))(thread, mutex);
    __tsan_acquire(mutex);
}

SWIFT_METHOD void tackline_unlock_slow(SWIFT_SELF void *mutex) {
    __tsan_release(mutex);
    ((__typeof__(&tackline_unlock_slow))dlsym(RTLD_NEXT, UNLOCK_SLOW))(mutex);
}

#endif
#endif
