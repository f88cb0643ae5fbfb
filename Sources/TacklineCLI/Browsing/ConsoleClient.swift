#if CommandLine
    import Dispatch
    import Synchronization

    /// Speaks HTTP/1.1 with a console: one request for each connection, in threads of its own.
    struct ConsoleClient: Sendable {
        struct Response: Sendable {
            var status: Int
            /// By name in lower case; the first of each.
            var headers: [String: String]
            var body: [UInt8]
        }

        let address: ConsoleAddress
        /// How long nothing may happen, in milliseconds.
        let timeout: CInt
        /// How long an answer may be.
        static let limit = 64 << 20
        private static let headLimit = 64 << 10

        /// Sends a request and collects the answer.
        ///
        /// - Parameters:
        ///   - body: JSON to post; `nil` for GET.
        ///   - cookie: The session, if there is one.
        func request(_ path: String, body: String? = nil, cookie: String?) async throws(ConsoleSocketError) -> Response
        {
            let head = head(path, body: body, cookie: cookie)
            let result = await onThread { socket throws(ConsoleSocketError) -> Response in
                try socket.write(head, timeout: timeout)
                var (response, rest) = try Self.head(from: socket, timeout: timeout)
                let length = response.headers["content-length"].flatMap { Int($0) }
                while length.map({ rest.count < $0 }) ?? true {
                    let bytes = try socket.read(timeout: timeout)
                    if bytes.isEmpty { break }
                    rest += bytes
                    guard rest.count <= Self.limit else { throw ConsoleSocketError("its answer is longer than 64 MiB") }
                }
                guard length.map({ rest.count == $0 }) ?? true else {
                    throw ConsoleSocketError("its answer breaks off")
                }
                response.body = rest
                return response
            }
            return try result.get()
        }

        /// Opens a stream, and hands on what arrives until it ends.
        ///
        /// - Parameter idle: How long nothing may arrive, in milliseconds.
        /// - Returns: How the stream was answered, if not with 200.
        func stream(
            _ path: String, cookie: String?, idle: CInt, onBytes: @escaping @Sendable ([UInt8]) -> Void
        ) async throws(ConsoleSocketError) -> Int? {
            let head = head(path, body: nil, cookie: cookie)
            let result = await onThread { socket throws(ConsoleSocketError) -> Int? in
                try socket.write(head, timeout: timeout)
                let (response, rest) = try Self.head(from: socket, timeout: timeout)
                guard response.status == 200 else { return response.status }
                onBytes(rest)
                while true {
                    let bytes = try socket.read(timeout: idle)
                    if bytes.isEmpty { return nil }
                    onBytes(bytes)
                }
            }
            return try result.get()
        }

        private func head(_ path: String, body: String?, cookie: String?) -> [UInt8] {
            var lines = [
                "\(body == nil ? "GET" : "POST") \(path) HTTP/1.1", "Host: \(address.authority)",
                "Origin: http://\(address.authority)", "Connection: close", "User-Agent: tackline-browse/1",
            ]
            if let cookie { lines.append("Cookie: \(cookie)") }
            if let body { lines += ["Content-Type: application/json", "Content-Length: \(body.utf8.count)"] }
            return Array((lines.joined(separator: "\r\n") + "\r\n\r\n" + (body ?? "")).utf8)
        }

        private static func head(
            from socket: ConsoleSocket, timeout: CInt
        ) throws(ConsoleSocketError) -> (Response, rest: [UInt8]) {
            var bytes: [UInt8] = []
            while true {
                if let end = end(ofHeadIn: bytes) {
                    return (try response(head: bytes[..<(end - 4)]), Array(bytes[end...]))
                }
                guard bytes.count <= headLimit else { throw ConsoleSocketError("its answer is no HTTP") }
                let more = try socket.read(timeout: timeout)
                if more.isEmpty { throw ConsoleSocketError("it closes the connection without an answer") }
                bytes += more
            }
        }

        private static func end(ofHeadIn bytes: [UInt8]) -> Int? {
            guard bytes.count >= 4 else { return nil }
            let limit = min(bytes.count, headLimit + 4)
            for end in 4...max(4, limit) where end <= bytes.count && bytes[end - 1] == 0x0A {
                if bytes[end - 4] == 0x0D, bytes[end - 3] == 0x0A, bytes[end - 2] == 0x0D { return end }
            }
            return nil
        }

        private static func response(head: ArraySlice<UInt8>) throws(ConsoleSocketError) -> Response {
            let lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n")
            let words = lines.first?.split(separator: " ") ?? []
            guard words.count >= 2, words[0].hasPrefix("HTTP/1."), let status = Int(words[1]) else {
                throw ConsoleSocketError("its answer is no HTTP")
            }
            var headers: [String: String] = [:]
            for line in lines.dropFirst() {
                guard let colon = line.firstIndex(of: ":") else { continue }
                let name = line[..<colon].lowercased()
                let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
                if headers[name] == nil { headers[name] = String(value) }
            }
            return Response(status: status, headers: headers, body: [])
        }

        /// Runs blocking work with a new connection on a thread, and ends it when the calling task is cancelled.
        private func onThread<Success: Sendable>(
            _ work: @escaping @Sendable (ConsoleSocket) throws(ConsoleSocketError) -> Success
        ) async -> Result<Success, ConsoleSocketError> {
            let shared = SharedSocket()
            return await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    DispatchQueue.global().async {
                        do throws(ConsoleSocketError) {
                            let socket = try ConsoleSocket(address, timeout: timeout)
                            guard shared.keep(socket) else { throw ConsoleSocketError("it was given up") }
                            continuation.resume(returning: .success(try work(socket)))
                        } catch {
                            continuation.resume(returning: .failure(error))
                        }
                    }
                }
            } onCancel: {
                shared.stop()
            }
        }

        /// The connection of a thread, for whoever wants to end it.
        private final class SharedSocket: Sendable {
            private let state = Mutex<(socket: ConsoleSocket?, isStopped: Bool)>((nil, false))

            /// - Returns: `false` if it was stopped before.
            func keep(_ socket: ConsoleSocket) -> Bool {
                state.withLock { state in
                    state.socket = socket
                    return !state.isStopped
                }
            }

            func stop() {
                let socket = state.withLock { state in
                    state.isStopped = true
                    return state.socket
                }
                socket?.stop()
            }
        }
    }
#endif
