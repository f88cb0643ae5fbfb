#if Servers
    import Foundation
    import Synchronization

    /// Clients of a server on the loopback interface, each a thread that sends its next request when the answer to the one
    /// before has arrived.
    final class Load: Sendable {
        let connections = 4
        private let sockets: [Int32]

        /// Opens the connections, which stay open.
        init(port: Int) {
            sockets = (0..<connections).map { _ in Self.connection(to: port) }
        }

        private static func connection(to port: Int) -> Int32 {
            #if canImport(Darwin)
                let kind = SOCK_STREAM
            #else
                let kind = Int32(SOCK_STREAM.rawValue)
            #endif
            let descriptor = socket(AF_INET, kind, 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = in_port_t(port).bigEndian
            address.sin_addr.s_addr = inet_addr("127.0.0.1")
            let result = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                    connect(descriptor, pointer, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            precondition(result == 0, "no connection to the server")
            return descriptor
        }

        /// Returns the processor time that the server takes for a request, in microseconds, when all connections send
        /// requests for different users.
        func time(of path: String, requests: Int) -> Double {
            let start = Self.processorTime(CLOCK_PROCESS_CPUTIME_ID)
            let clients = Mutex(0.0)
            let threads = sockets.enumerated().map { number, descriptor in
                let done = DispatchSemaphore(value: 0)
                Thread.detachNewThread {
                    let start = Self.processorTime(CLOCK_THREAD_CPUTIME_ID)
                    for request in 0..<requests { Self.send("\(path)/user-\(number)-\(request)", over: descriptor) }
                    clients.withLock { $0 += Self.processorTime(CLOCK_THREAD_CPUTIME_ID) - start }
                    done.signal()
                }
                return done
            }
            for thread in threads { thread.wait() }
            let server = Self.processorTime(CLOCK_PROCESS_CPUTIME_ID) - start - clients.withLock { $0 }
            return server / Double(requests * connections)
        }

        private static func processorTime(_ clock: clockid_t) -> Double {
            var time = timespec()
            clock_gettime(clock, &time)
            return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
        }

        /// Sends a request and reads the answer, whose body is as long as its header says.
        private static func send(_ path: String, over descriptor: Int32) {
            let request = Array("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".utf8)
            precondition(write(descriptor, request, request.count) == request.count, "a request was not taken")
            var answer: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 2_048)
            while true {
                let count = read(descriptor, &buffer, buffer.count)
                precondition(count > 0, "the server closed the connection")
                answer += buffer[..<count]
                guard let end = answer.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound else { continue }
                let head = String(decoding: answer[..<end], as: UTF8.self).lowercased()
                precondition(head.hasPrefix("http/1.1 200"), "the server failed: \(head)")
                let length = head.firstRange(of: "content-length: ").flatMap {
                    Int(head[$0.upperBound...].prefix { $0.isNumber })
                }
                if answer.count >= end + (length ?? 0) { return }
            }
        }
    }
#endif
