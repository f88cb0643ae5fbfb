private import TacklineCLibrary

/// A thread of its own for blocking work, so that no thread of Swift's task pool is blocked.
///
/// It is made with `pthread_create` instead of Foundation's `Thread`, which does not report a failure to make a thread.
enum LoopbackThread {
    private final class Body: Sendable {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }

    /// Runs a closure on a new thread, which ends with it. If this throws, the closure has not run and never will.
    static func start(_ run: @escaping @Sendable () -> Void) throws(LoopbackServerError) {
        let body = Unmanaged.passRetained(Body(run))
        // Without the type's name before `perform` the compiler of Swift 6.3.1 crashes.
        #if canImport(Darwin)
            var thread: pthread_t?
            let status = pthread_create(&thread, nil, { LoopbackThread.perform(bodyAt: $0) }, body.toOpaque())
        #elseif canImport(Musl)
            var thread: pthread_t?
            let status = pthread_create(
                &thread,
                nil,
                { $0.flatMap { LoopbackThread.perform(bodyAt: $0) } },
                body.toOpaque()
            )
        #else
            var thread = pthread_t()
            let status = pthread_create(
                &thread,
                nil,
                { $0.flatMap { LoopbackThread.perform(bodyAt: $0) } },
                body.toOpaque()
            )
        #endif
        guard status == 0 else {
            body.release()
            throw LoopbackServerError(operation: "start a thread", code: status)
        }
        #if canImport(Glibc)
            pthread_detach(thread)
        #else
            if let thread {
                pthread_detach(thread)
            }
        #endif
    }

    private static func perform(bodyAt pointer: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
        Unmanaged<Body>.fromOpaque(pointer).takeRetainedValue().run()
        return nil
    }
}
