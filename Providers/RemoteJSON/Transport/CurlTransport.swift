#if canImport(FoundationNetworking) && canImport(CTacklineCurl)
    import CTacklineCurl
    import Foundation
    import FoundationNetworking
    import Synchronization

    // Foundation: `Thread` waits for libcurl.

    /// The transport on Linux: the libcurl that `URLSession` brings into the process. One thread carries all requests of
    /// the process by libcurl's multi interface, so connections are kept and used again, and a stream costs no thread.
    ///
    /// Proxies and trusted certificates are those of libcurl: its environment variables and the system's certificates.
    package final class CurlTransport: HTTPTransport {
        private let authorities: String?

        /// Creates a transport, or `nil` if the process has no libcurl 7.68 or later, for example because it was linked
        /// statically.
        ///
        /// - Parameter authorities: The path of a file with the certificates to trust (PEM); `nil` for those of the system.
        package init?(authorities: String? = nil) {
            // This reference keeps the linker from removing FoundationNetworking, and libcurl with it.
            _ = URLSession.self
            guard CurlThread.shared != nil else { return nil }
            self.authorities = authorities
        }

        package func response(to request: HTTPTransportRequest) async throws -> HTTPTransportResponse {
            guard let thread = CurlThread.shared else { throw HTTPFailure("there is no libcurl") }
            let transfer = CurlTransfer(request, authorities: authorities, thread)
            thread.send(.begin(transfer))
            return try await transfer.response.response()
        }
    }

    /// The thread that carries the requests. It is the only one that uses libcurl, except to wake it.
    private final class CurlThread: Sendable {
        enum Command { case begin(CurlTransfer), cancel(CurlTransfer), proceed(CurlTransfer) }

        static let shared = tackline_curl_multi().map { CurlThread(UInt(bitPattern: $0)) }

        /// The address of libcurl's handle.
        private let multi: UInt
        private let commands = Mutex<[Command]>([])

        private init(_ multi: UInt) {
            self.multi = multi
            Thread.detachNewThread { self.run() }
        }

        func send(_ command: Command) {
            commands.withLock { $0.append(command) }
            tackline_curl_wake(UnsafeMutableRawPointer(bitPattern: multi))
        }

        private func run() {
            tackline_curl_block_signals()
            let multi = UnsafeMutableRawPointer(bitPattern: multi)
            // The transfers by their address, which libcurl has as their context, with libcurl's requests.
            var transfers: [UnsafeMutableRawPointer: (transfer: CurlTransfer, request: UnsafeMutableRawPointer)] = [:]
            while true {
                let new = commands.withLock { commands in
                    defer { commands = [] }
                    return commands
                }
                for command in new {
                    switch command {
                    case .begin(let transfer):
                        guard !transfer.response.isOver else { continue }
                        if let request = transfer.begin(multi) {
                            transfers[transfer.context] = (transfer, request)
                        } else {
                            transfer.response.didComplete(HTTPFailure("libcurl could not begin the request"))
                        }
                    case .cancel(let transfer):
                        guard let entry = transfers.removeValue(forKey: transfer.context) else { continue }
                        tackline_curl_end(multi, entry.request)
                    case .proceed(let transfer):
                        if let entry = transfers[transfer.context] { tackline_curl_proceed(entry.request) }
                    }
                }
                // Without requests it sleeps until it is woken; libcurl shortens the time as it needs.
                tackline_curl_work(multi, 60_000)
                var (context, code): (UnsafeMutableRawPointer?, CInt) = (nil, 0)
                while let request = tackline_curl_finished(multi, &context, &code) {
                    if let entry = context.flatMap({ transfers.removeValue(forKey: $0) }) {
                        entry.transfer.finish(
                            code, tackline_curl_message(request, code).map { String(cString: $0) } ?? "")
                    }
                    tackline_curl_end(multi, request)
                }
            }
        }
    }

    /// One request, and the header of its answer as libcurl delivers it.
    ///
    /// Unchecked, and without a lock: the variables are used only on the thread that carries the requests.
    private final class CurlTransfer: @unchecked Sendable {
        private let request: HTTPTransportRequest
        private let authorities: String?
        private let thread: CurlThread
        private var lines = HTTPHeaderLines()
        private(set) lazy var response = ArrivingResponse(limit: request.maximumWaitingBytes) { [weak self] in
            if let self { thread.send(.cancel(self)) }
        } proceed: { [weak self] in
            if let self { thread.send(.proceed(self)) }
        }

        init(_ request: HTTPTransportRequest, authorities: String?, _ thread: CurlThread) {
            (self.request, self.authorities, self.thread) = (request, authorities, thread)
            _ = response
        }

        var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

        /// Returns libcurl's request, or `nil` if it can't be made.
        func begin(_ multi: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
            var fields = request.headers.map { "\($0.key)\($0.value.isEmpty ? ";" : ": \($0.value)")" }
            // With `Expect`, libcurl would wait for the server's permission to send a long body.
            if request.body != nil { fields.append("Expect:") }
            // A line break would begin another field.
            let bytes = fields.map {
                $0.utf8.filter { ![0x0D, 0x0A, 0].contains($0) }.map { CChar(bitPattern: $0) } + [0]
            }
            let pointers = bytes.map { line in
                let copy = UnsafeMutablePointer<CChar>.allocate(capacity: line.count)
                copy.initialize(from: line, count: line.count)
                return copy
            }
            defer { pointers.forEach { $0.deallocate() } }
            let lines: [UnsafePointer<CChar>?] = pointers.map { UnsafePointer($0) } + [nil]
            let body = request.body.map { [UInt8]($0) + [0] }
            return body.withOptionalBytes { body, count in
                tackline_curl_begin(
                    multi, request.url.absoluteString, lines, body, max(0, count - 1), authorities, context,
                    { CurlTransfer.at($3).receive(line: UnsafeRawBufferPointer(start: $0, count: $1 * $2)) },
                    { CurlTransfer.at($3).receive(body: UnsafeRawBufferPointer(start: $0, count: $1 * $2)) })
            }
        }

        private static func at(_ context: UnsafeMutableRawPointer?) -> CurlTransfer {
            Unmanaged.fromOpaque(context.unsafelyUnwrapped).takeUnretainedValue()
        }

        /// Receives a line of the header. A number other than that of its bytes ends the request.
        private func receive(line: UnsafeRawBufferPointer) -> Int {
            let wasComplete = lines.isComplete
            lines.append(line)
            guard lines.byteCount <= HTTPFailure.maximumHeaderBytes else {
                response.didComplete(HTTPFailure.largeHeader)
                return line.count + 1
            }
            if lines.isComplete, !wasComplete {
                response.didReceiveHead(status: lines.status, headers: lines.headers)
            }
            return line.count
        }

        private func receive(body: UnsafeRawBufferPointer) -> Int {
            guard lines.isComplete, !response.isOver else { return body.count + 1 }
            return response.accepts(Data(body)) ? body.count : tackline_curl_later
        }

        /// Ends the answer with a `CURLcode` and libcurl's words for it.
        func finish(_ code: CInt, _ message: String) {
            switch code {
            case 0 where lines.isComplete: response.didComplete()
            case 0: response.didComplete(HTTPFailure("the server closed the connection before its header was complete"))
            // For a header line that is too long, many versions return CURLE_OUT_OF_MEMORY and others CURLE_TOO_LARGE.
            case 27 where !lines.isComplete, 100: response.didComplete(HTTPFailure.largeHeader)
            // libcurl reads one member of a gzip file only, and then fails as if the data could not be stored.
            case 23, 61:
                response.didComplete(
                    HTTPFailure("the body's Content-Encoding can't be decoded; send it uncompressed, as was asked"))
            default: response.didComplete(HTTPFailure("the request failed: \(message)"))
            }
        }
    }

    extension [UInt8]? {
        /// Calls `body` with the bytes and their number, or with `nil`.
        fileprivate func withOptionalBytes<R>(_ body: (UnsafeRawPointer?, Int) -> R) -> R {
            guard let self else { return body(nil, 0) }
            return self.withUnsafeBytes { body($0.baseAddress, $0.count) }
        }
    }
#endif

/// The header of an answer, assembled line by line.
struct HTTPHeaderLines {
    /// The status of the current answer; 0 before the first status line and after a malformed one.
    private(set) var status = 0
    /// The fields, with their names in lower case.
    private(set) var headers: [String: String] = [:]
    /// The bytes of all lines so far, including interim answers and trailers.
    private(set) var byteCount = 0
    /// Whether the header of a final answer is complete. Later lines are trailers, which are dropped.
    private(set) var isComplete = false
    /// The name of the last field, which a folded line continues (RFC 9112, section 5.2).
    private var lastName: String?

    /// Adds the next line, with or without its line end.
    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        byteCount += bytes.count
        guard !isComplete else { return }
        let line = bytes.prefix { $0 != 0x0D && $0 != 0x0A }
        let text = String(decoding: line, as: UTF8.self)
        if text.hasPrefix("HTTP/") {
            let parts = text.split(separator: " ", maxSplits: 2)
            status = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
            (headers, lastName) = ([:], nil)
        } else if line.isEmpty {
            // 1xx are interim answers; the final one follows.
            isComplete = status >= 200
        } else if line.first == 0x20 || line.first == 0x09 {
            if let lastName { headers[lastName, default: ""] += " \(Self.trimmed(text))" }
        } else if let colon = text.firstIndex(of: ":") {
            let name = Self.trimmed(text[..<colon]).lowercased()
            let value = Self.trimmed(text[text.index(after: colon)...])
            if headers[name] == nil { headers[name] = value } else { headers[name]? += ", \(value)" }
            lastName = name
        }
    }

    private static func trimmed(_ text: some StringProtocol) -> String {
        var part = Substring(text)
        while part.first == " " || part.first == "\t" { part.removeFirst() }
        while part.last == " " || part.last == "\t" { part.removeLast() }
        return String(part)
    }
}
