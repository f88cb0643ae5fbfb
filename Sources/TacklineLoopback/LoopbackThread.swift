#if canImport(Darwin)
    private import Darwin
#elseif canImport(Musl)
    private import Musl
#else
    private import Glibc
#endif

/// A thread of its own for work that blocks, so that no thread of Swift's task pool does.
///
/// Made with `pthread_create` and not Foundation's `Thread`, which does not report that a thread could not be made.
enum LoopbackThread {
    private final class Body: Sendable {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }

    /// Runs the body on a new thread, which ends with it. When this throws, the body has not run and never will.
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
