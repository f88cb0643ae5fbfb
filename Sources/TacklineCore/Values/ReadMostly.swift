import Synchronization

/// A value that many threads read and few replace. Threads that read it don't wait for each other.
///
/// A reader takes one of a few locks of the process by the number of its thread, and a writer takes all of them. So
/// the closures must be short, and must run no foreign code.
package final class ReadMostly<Value>: @unchecked Sendable {
    // Unchecked: the value is read under one of the locks, and changed under all of them.
    private let value: UnsafeMutablePointer<Value>

    package init(_ value: Value) {
        unsafe self.value = .allocate(capacity: 1)
        unsafe self.value.initialize(to: value)
    }

    deinit {
        unsafe value.deinitialize(count: 1)
        unsafe value.deallocate()
    }

    /// Calls a closure with the value, which it must not change, under the lock of the current thread.
    // The pointer is a mutable one, because what is read through another is copied with the whole value.
    @inline(__always) package func read<Result: Sendable>(_ body: (UnsafeMutablePointer<Value>) -> Result) -> Result {
        ReaderLocks.ofCurrentThread { unsafe body(value) }
    }

    /// Calls a closure that may change the value, under all locks.
    package func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
        ReaderLocks.all { unsafe body(&value.pointee) }
    }
}

/// The locks of readers, of which each has a cache line of its own.
private struct ReaderLocks: ~Copyable {
    private let lock = Mutex<Void>(())
    private let padding = (0 as UInt64, 0 as UInt64, 0 as UInt64, 0 as UInt64, 0 as UInt64, 0 as UInt64, 0 as UInt64)

    private static let count = 8
    /// Never freed. It is safe because the pointer never changes and each of the locks protects itself.
    nonisolated(unsafe) private static let locks: UnsafeMutablePointer<ReaderLocks> = {
        let locks = UnsafeMutablePointer<ReaderLocks>.allocate(capacity: count)
        for number in 0..<count { unsafe (locks + number).initialize(to: ReaderLocks()) }
        return unsafe locks
    }()

    /// Threads are numbered, so that two of them have different locks unless many were created in between.
    private static let numbers = ThreadPointer()
    private static let lastNumber = Atomic<Int>(0)

    @inline(__always) static func ofCurrentThread<Result: Sendable>(_ body: () -> Result) -> Result {
        let place = unsafe numbers.place
        var number = unsafe Int(bitPattern: place?.pointee)
        if number == 0 {
            number = lastNumber.wrappingAdd(1, ordering: .relaxed).newValue
            unsafe place?.pointee = UnsafeMutableRawPointer(bitPattern: number)
        }
        return unsafe locks[number & (count - 1)].lock.withLock { _ in body() }
    }

    static func all<Result: Sendable>(from number: Int = 0, _ body: () -> Result) -> Result {
        guard number < count else { return body() }
        return unsafe locks[number].lock.withLock { _ in all(from: number + 1, body) }
    }
}
