#if CommandLine
    import Synchronization
    import TacklineCLibrary

    // `print` hides that a disk is full, and Foundation's file handles end the process, so neither is used.

    /// One of the two output streams of a command. It is safe to use from any thread, and each text is written whole.
    final class CommandOutput: Sendable {
        /// Standard output, for results.
        static let standard = CommandOutput(descriptor: STDOUT_FILENO)
        /// Standard error, for messages.
        static let error = CommandOutput(descriptor: STDERR_FILENO)

        private let descriptor: CInt
        /// Whether the reader has closed the stream. Later writes do nothing.
        private let closed = Mutex(false)

        init(descriptor: CInt) {
            self.descriptor = descriptor
        }

        /// Whether the stream is a terminal.
        var isTerminal: Bool { isatty(descriptor) == 1 }

        /// Writes a text unchanged.
        ///
        /// - Throws: If it could not be written. A reader that closed the stream is not an error.
        func write(_ text: String) throws(CommandFailure) {
            try write(Array(text.utf8))
        }

        /// Writes bytes unchanged.
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
                        // Another process, such as a shell, can make the stream non-blocking.
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

        /// Writes lines for people, with control characters escaped. A failure to write is ignored, since there is no
        /// other place to report it.
        func report(_ text: String) {
            guard !text.isEmpty else { return }
            try? line(SafeText.lines(text, limit: .max).joined(separator: "\n"))
        }
    }

    /// Calls the system's `write`, which the type's own `write` would hide.
    private func writeOnce(_ descriptor: CInt, _ bytes: UnsafeRawBufferPointer) -> Int {
        write(descriptor, bytes.baseAddress, bytes.count)
    }
#endif
