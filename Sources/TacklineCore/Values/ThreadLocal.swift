import TacklineCLibrary

/// A pointer of which each thread has its own, for nested synchronous calls.
///
/// Unlike a task-local value it allocates nothing and costs a few instructions to read.
package struct ThreadPointer: Sendable {
    /// `nil` if the process has no more keys. The pointer is then always `nil`, and setting it does nothing.
    private let key: pthread_key_t?

    package init() {
        var key = pthread_key_t()
        self.key = pthread_key_create(&key, nil) == 0 ? key : nil
    }

    package var value: UnsafeMutableRawPointer? {
        get { unsafe key.flatMap { unsafe pthread_getspecific($0) } }
        nonmutating set { if let key { _ = unsafe pthread_setspecific(key, newValue) } }
    }
}

/// An object that is set for the current thread while a closure runs.
package struct ThreadLocal<Object: AnyObject>: @unchecked Sendable {
    // Unchecked: the object of one thread is never seen by another.
    private let pointer = ThreadPointer()

    package init() {}

    /// The object of the current thread, or `nil` if there is none.
    package var value: Object? {
        guard let value = unsafe pointer.value else { return nil }
        return unsafe Unmanaged<Object>.fromOpaque(value).takeUnretainedValue()
    }

    /// Calls a closure with an object as the ``value`` of the thread.
    ///
    /// - Parameter object: The object, or `nil` for none.
    package func withValue<Success>(_ object: Object?, _ body: () -> Success) -> Success {
        let outer = unsafe pointer.value
        unsafe pointer.value = object.map { unsafe Unmanaged.passUnretained($0).toOpaque() }
        defer {
            unsafe pointer.value = outer
            withExtendedLifetime(object) {}
        }
        return body()
    }
}
