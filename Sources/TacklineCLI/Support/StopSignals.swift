#if CommandLine
    import Dispatch

    #if canImport(Darwin)
        import Darwin
    #elseif canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #endif

    /// The signals by which people and systems end a command that runs until then.
    enum StopSignals {
        /// What arrives of SIGINT, SIGTERM and SIGHUP from now on, each as an element.
        ///
        /// When this returns they no longer end the process by themselves, to its end. Call it before the first line that tells
        /// people that the command runs: what they send after that line must not get past it.
        static func arrivals() async -> AsyncStream<Void> {
            let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
            let (registrations, registration) = AsyncStream.makeStream(of: Void.self)
            let numbers = [SIGINT, SIGTERM, SIGHUP]
            for number in numbers {
                #if canImport(Darwin)
                    // Dispatch sees a signal there also if it is ignored, and nothing else may handle it.
                    signal(number, SIG_IGN)
                #endif
                let source = DispatchSource.makeSignalSource(signal: number)
                // The handler keeps its source.
                source.setEventHandler { withExtendedLifetime(source) { _ = arrival.yield() } }
                // On Linux dispatch takes a signal over on a thread of its own, some time after `resume()`.
                source.setRegistrationHandler { registration.yield() }
                source.resume()
            }
            for await _ in registrations.prefix(numbers.count) {}
            return arrivals
        }
    }
#endif
