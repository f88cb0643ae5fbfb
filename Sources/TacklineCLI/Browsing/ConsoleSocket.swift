#if CommandLine
    import Dispatch
    import Synchronization

    #if canImport(Darwin)
        import Darwin
    #elseif canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #endif

    // Not URLSession: on Linux it follows the redirect whose cookie we need, and ends the process when a server goes away
    // in the middle of a header (Swift 6.3.1).

    /// One connection to a console, which carries one request. It blocks, so it is used from a thread of its own.
    final class ConsoleSocket: Sendable {
        private let state: Mutex<CInt?>

        /// Connects.
        ///
        /// - Throws: The reason, for people.
        init(_ address: ConsoleAddress, timeout: CInt) throws(ConsoleSocketError) {
            var hints = addrinfo()
            #if canImport(Glibc)
                hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
            #else
                hints.ai_socktype = SOCK_STREAM
            #endif
            var list: UnsafeMutablePointer<addrinfo>?
            guard getaddrinfo(address.host, "\(address.port)", &hints, &list) == 0 else {
                throw ConsoleSocketError("there is no host \(address.host)")
            }
            defer { freeaddrinfo(list) }
            var reason = "nothing answers"
            var next = list
            while let entry = next {
                next = entry.pointee.ai_next
                let descriptor = socket(entry.pointee.ai_family, entry.pointee.ai_socktype, entry.pointee.ai_protocol)
                guard descriptor >= 0 else { continue }
                _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
                _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
                if let failure = Self.connect(descriptor, entry.pointee, timeout: timeout) {
                    reason = failure
                    close(descriptor)
                } else {
                    state = Mutex(descriptor)
                    return
                }
            }
            throw ConsoleSocketError(reason)
        }

        deinit {
            if let descriptor = state.withLock({ $0 }) { close(descriptor) }
        }

        private static func connect(_ descriptor: CInt, _ entry: addrinfo, timeout: CInt) -> String? {
            #if canImport(Darwin)
                let result = Darwin.connect(descriptor, entry.ai_addr, entry.ai_addrlen)
            #elseif canImport(Glibc)
                let result = Glibc.connect(descriptor, entry.ai_addr, entry.ai_addrlen)
            #else
                let result = Musl.connect(descriptor, entry.ai_addr, entry.ai_addrlen)
            #endif
            if result == 0 { return nil }
            guard errno == EINPROGRESS else { return text(of: errno) }
            guard wait(descriptor, POLLOUT, timeout) else { return "it does not answer in time" }
            var number: CInt = 0
            var length = socklen_t(MemoryLayout<CInt>.size)
            getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &number, &length)
            return number == 0 ? nil : text(of: number)
        }

        /// Ends reading and writing, also by another thread.
        func stop() {
            state.withLock { if let descriptor = $0 { _ = shutdown(descriptor, CInt(SHUT_RDWR)) } }
        }

        func write(_ bytes: [UInt8], timeout: CInt) throws(ConsoleSocketError) {
            var position = 0
            while position < bytes.count {
                let count = bytes[position...].withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, flags) }
                if count > 0 {
                    position += count
                } else if errno == EAGAIN {
                    guard Self.wait(descriptor, POLLOUT, timeout) else {
                        throw ConsoleSocketError("it takes no request")
                    }
                } else if errno != EINTR {
                    throw ConsoleSocketError(Self.text(of: errno))
                }
            }
        }

        /// Reads what there is, and waits for it.
        ///
        /// - Returns: Nothing at the end.
        func read(timeout: CInt) throws(ConsoleSocketError) -> [UInt8] {
            var buffer = [UInt8](repeating: 0, count: 64 << 10)
            while true {
                let count = recv(descriptor, &buffer, buffer.count, 0)
                if count >= 0 { return Array(buffer[..<count]) }
                if errno == EAGAIN {
                    guard Self.wait(descriptor, POLLIN, timeout) else {
                        throw ConsoleSocketError("it has been silent for too long")
                    }
                } else if errno != EINTR {
                    throw ConsoleSocketError(Self.text(of: errno))
                }
            }
        }

        private var descriptor: CInt { state.withLock { $0 ?? -1 } }

        /// A reader that went away is an error, not a signal.
        private var flags: CInt {
            #if canImport(Darwin)
                0
            #else
                CInt(MSG_NOSIGNAL)
            #endif
        }

        private static func wait(_ descriptor: CInt, _ events: CInt, _ timeout: CInt) -> Bool {
            var poller = pollfd(fd: descriptor, events: Int16(events), revents: 0)
            while true {
                let count = poll(&poller, 1, timeout)
                if count < 0, errno == EINTR { continue }
                return count > 0
            }
        }

        private static func text(of number: CInt) -> String {
            if number == ECONNREFUSED { return "nothing listens there" }
            return strerror(number).map { String(cString: $0) } ?? "error \(number)"
        }
    }

    /// Why a console cannot be talked to, as part of a sentence.
    struct ConsoleSocketError: Error, Hashable, CustomStringConvertible {
        let description: String

        init(_ description: String) {
            self.description = description
        }
    }
#endif
