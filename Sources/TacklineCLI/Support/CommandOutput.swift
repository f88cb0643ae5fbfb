#if CommandLine
    import Synchronization
    import TacklineTerminal

    #if canImport(Darwin)
        import Darwin
    #elseif canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #endif

    // Not `print` nor Foundation's file handles: the first hides that a disk is full, the second ends the process.

    /// One of the two streams that a command writes to. Safe from any thread; each text is written whole.
    final class CommandOutput: Sendable {
        /// Where results go.
        static let standard = CommandOutput(descriptor: STDOUT_FILENO)
        /// Where messages and progress go.
        static let error = CommandOutput(descriptor: STDERR_FILENO)

        private let descriptor: CInt
        private let closed = Mutex(false)

        init(descriptor: CInt) {
            self.descriptor = descriptor
        }

        /// Whether a person sees it as it is written.
        var isTerminal: Bool { isatty(descriptor) == 1 }

        /// Whether the reader has gone away. What is written then is dropped; a command that writes without end should
        /// end.
        var isClosed: Bool { closed.withLock { $0 } }

        /// How many columns and rows the terminal has; `nil` where it is none, or does not say.
        var size: (columns: Int, rows: Int)? {
            var size = winsize()
            guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
            return (Int(size.ws_col), Int(size.ws_row))
        }

        /// Writes a text as it stands.
        ///
        /// - Throws: If it could not be written, for any reason but a reader that went away.
        func write(_ text: String) throws(CommandFailure) {
            try write(Array(text.utf8))
        }

        /// Writes bytes as they stand.
        ///
        /// - Throws: As ``write(_:)-(String)``.
        func write(_ bytes: [UInt8]) throws(CommandFailure) {
            let number = closed.withLock { closed -> CInt? in
                var position = 0
                while !closed, position < bytes.count {
                    let count = bytes.withUnsafeBytes { buffer in
                        writeOnce(descriptor, UnsafeRawBufferPointer(rebasing: buffer[position...]))
                    }
                    if count >= 0 {
                        position += count
                    } else if errno == EPIPE {
                        closed = true
                    } else if errno == EAGAIN {
                        // Somebody made the stream non-blocking, as some shells do.
                        var poller = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                        _ = poll(&poller, 1, -1)
                    } else if errno != EINTR {
                        return errno
                    }
                }
                return nil
            }
            guard let number else { return }
            let reason = strerror(number).map { String(cString: $0) } ?? "error \(number)"
            throw CommandFailure("The output could not be written: \(reason).", status: .output)
        }

        /// Writes a text and a line feed.
        ///
        /// - Throws: As ``write(_:)-(String)``.
        func line(_ text: String) throws(CommandFailure) {
            try write(text + "\n")
        }

        /// Writes lines for people, without what would steer a terminal. A failure to write is ignored: there is nowhere
        /// left to report it.
        func report(_ text: String) {
            guard !text.isEmpty else { return }
            try? line(SafeText.lines(text, limit: .max).joined(separator: "\n"))
        }
    }

    /// Outside of the type, whose own `write` would hide the system's.
    private func writeOnce(_ descriptor: CInt, _ bytes: UnsafeRawBufferPointer) -> Int {
        write(descriptor, bytes.baseAddress, bytes.count)
    }
#endif
