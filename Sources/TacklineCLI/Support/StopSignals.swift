#if CommandLine
    import Dispatch
    import TacklineCLibrary

    /// The signals with which people and systems end a command that runs until it is stopped.
    enum StopSignals {
        /// Returns a stream with an element for each SIGINT, SIGTERM and SIGHUP that arrives from now on.
        ///
        /// Once this returns, these signals no longer end the process by default, for as long as it runs. Call it
        /// before the command prints that it is running, so that a signal sent after that line is not missed.
        static func arrivals() async -> AsyncStream<Void> {
            let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
            let (registrations, registration) = AsyncStream.makeStream(of: Void.self)
            let numbers = [SIGINT, SIGTERM, SIGHUP]
            for number in numbers {
                #if canImport(Darwin)
                    // Dispatch also sees ignored signals on Darwin, and no other handler may act on them.
                    signal(number, SIG_IGN)
                #endif
                let source = DispatchSource.makeSignalSource(signal: number)
                // The handler keeps its source alive.
                source.setEventHandler { withExtendedLifetime(source) { _ = arrival.yield() } }
                // Dispatch on Linux takes over a signal on a thread of its own, some time after `resume()`.
                source.setRegistrationHandler { registration.yield() }
                source.resume()
            }
            for await _ in registrations.prefix(numbers.count) {}
            return arrivals
        }
    }
#endif
