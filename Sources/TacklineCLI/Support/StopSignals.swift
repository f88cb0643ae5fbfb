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
        /// Returns when SIGINT, SIGTERM or SIGHUP arrives, or the task is cancelled; from the first call on, they no
        /// longer end the process by themselves.
        static func wait() async {
            let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
            let sources = [SIGINT, SIGTERM, SIGHUP].map { number in
                #if canImport(Darwin)
                    // Dispatch sees a signal there also if it is ignored, and nothing else may handle it.
                    signal(number, SIG_IGN)
                #endif
                let source = DispatchSource.makeSignalSource(signal: number)
                source.setEventHandler { continuation.yield() }
                source.resume()
                return source
            }
            for await _ in stream { break }
            for source in sources { source.cancel() }
        }
    }
#endif
