import TacklineCLibrary

/// A pointer of which each thread has its own, for nested synchronous calls.
///
/// Unlike a task-local value it allocates only at its first use on a thread, and costs a few instructions to read.
package struct ThreadPointer: Sendable {
    package typealias Place = UnsafeMutablePointer<UnsafeMutableRawPointer?>

    /// `nil` if the process has no more keys.
    private let key: pthread_key_t?

    package init() {
        var key = pthread_key_t()
        self.key = pthread_key_create(&key, { unsafe free($0) }) == 0 ? key : nil
    }

    /// The place of the current thread's pointer, which is `nil` at first. There is no place if there is no key.
    package var place: Place? {
        guard let key else { return nil }
        if let known = unsafe pthread_getspecific(key) {
            return unsafe known.assumingMemoryBound(to: Place.Pointee.self)
        }
        guard let new = unsafe calloc(1, MemoryLayout<Place.Pointee>.size) else { return nil }
        _ = unsafe pthread_setspecific(key, new)
        return unsafe new.bindMemory(to: Place.Pointee.self, capacity: 1)
    }
}

/// An object that is set for the current thread while a closure runs.
package struct ThreadLocal<Object: AnyObject>: @unchecked Sendable {
    // Unchecked: the object of one thread is never seen by another.
    private let pointer = ThreadPointer()

    package init() {}

    /// The object of the current thread, or `nil` if there is none.
    package var value: Object? {
        guard let value = unsafe pointer.place?.pointee else { return nil }
        return unsafe Unmanaged<Object>.fromOpaque(value).takeUnretainedValue()
    }

    /// Calls a closure with an object as the ``value`` of the thread.
    ///
    /// - Parameter object: The object, or `nil` for none.
    package func withValue<Success>(_ object: Object?, _ body: () -> Success) -> Success {
        let place = unsafe pointer.place
        let outer = unsafe place?.pointee
        unsafe place?.pointee = object.map { unsafe Unmanaged.passUnretained($0).toOpaque() }
        defer {
            unsafe place?.pointee = outer
            withExtendedLifetime(object) {}
        }
        return body()
    }
}
