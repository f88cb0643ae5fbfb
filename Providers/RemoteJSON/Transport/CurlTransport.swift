import Foundation

#if canImport(FoundationNetworking) && canImport(CTacklineCurl)
    import CTacklineCurl
    import FoundationNetworking
    import Synchronization
    import TacklineCore
    import TacklineFiles

    /// The transport on Linux: the libcurl that `URLSession` brings into the process. One thread carries all requests of
    /// the process by libcurl's multi interface, so connections are kept and used again, and a stream costs no thread.
    ///
    /// Proxies and trusted certificates are those of libcurl: its environment variables and the system's certificates.
    package final class CurlTransport: HTTPTransport {
        package init() {
            // This reference keeps the linker from removing FoundationNetworking, and libcurl with it.
            _ = URLSession.self
        }

        package func response(to request: HTTPTransportRequest) async throws -> HTTPTransportResponse {
            guard let thread = CurlThread.shared else {
                throw HTTPFailure(
                    "the process has no libcurl 7.68 or later; link it dynamically, or set configuration.transport")
            }
            let (chunks, continuation) = AsyncThrowingStream.makeStream(
                of: Data.self, bufferingPolicy: .bufferingOldest(2048))
            let transfer = CurlTransfer(request, continuation)
            continuation.onTermination = { end in
                if case .cancelled = end { thread.perform { transfer.cancel() } }
            }
            thread.perform { transfer.begin() }
            // When this task is cancelled, `chunks` is released, which ends the request.
            guard let head = try await transfer.head.wait()?.get() else { throw CancellationError() }
            return HTTPTransportResponse(status: head.status, headers: head.headers, body: chunks)
        }
    }

    /// The thread that carries the requests. It is the only one that uses libcurl, except to wake it.
    private final class CurlThread: Sendable {
        static let shared = tackline_curl_prepare() == 0 ? nil : CurlThread()

        private let commands = Mutex<[@Sendable () -> Void]>([])

        private init() { Thread.detachNewThread { self.run() } }

        /// Calls a closure on the thread.
        func perform(_ command: @escaping @Sendable () -> Void) {
            commands.withLock { $0.append(command) }
            tackline_curl_wake()
        }

        private func run() -> Never {
            while true {
                let commands = commands.withLock { commands in
                    defer { commands = [] }
                    return commands
                }
                for command in commands { command() }
                tackline_curl_step { context, code, message in
                    CurlTransfer.at(context)?.finish(code, message.map { String(cString: $0) } ?? "")
                }
            }
        }
    }

    /// One request, and its answer as libcurl delivers it.
    ///
    /// Unchecked, and without a lock: the variables are used only on the thread that carries the requests.
    private final class CurlTransfer: @unchecked Sendable {
        let head = FlagPromise<Result<(status: Int, headers: [String: String]), any Error>>()
        private let request: HTTPTransportRequest
        private let body: AsyncThrowingStream<Data, any Error>.Continuation
        private var lines = HTTPHeaderLines()
        /// The bytes of the body that have arrived and were not passed on.
        private var portion = Data()
        /// libcurl's request, which holds a reference to this object while it lasts, and its header fields.
        private var handle, fields: UnsafeMutableRawPointer?

        init(_ request: HTTPTransportRequest, _ body: AsyncThrowingStream<Data, any Error>.Continuation) {
            (self.request, self.body) = (request, body)
        }

        static func at(_ context: UnsafeMutableRawPointer?) -> CurlTransfer? {
            context.map { Unmanaged.fromOpaque($0).takeUnretainedValue() }
        }

        func begin() {
            let lines = request.headers.map { "\($0.key)\($0.value.isEmpty ? ";" : ": \($0.value)")" }
            // With `Expect`, libcurl would wait for the server's permission to send a long body.
            for line in lines + (request.body == nil ? [] : ["Expect:"]) {
                // A line break would begin another field.
                fields = tackline_curl_add_field(fields, line.filter { !$0.isNewline && $0 != "\0" })
            }
            handle = tackline_curl_begin(
                request.url.absoluteString, fields, request.body.map { String(decoding: $0, as: UTF8.self) },
                Unmanaged.passRetained(self).toOpaque(),
                { CurlTransfer.at($3)?.receive(line: UnsafeRawBufferPointer(start: $0, count: $1 * $2)) ?? 0 },
                { CurlTransfer.at($3)?.receive(body: UnsafeRawBufferPointer(start: $0, count: $1 * $2)) ?? 0 })
            if handle == nil {
                fail(HTTPFailure("libcurl could not begin the request"))
                end()
            }
        }

        func cancel() { if handle != nil { end() } }

        private func end() {
            tackline_curl_end(handle, fields)
            handle = nil
            Unmanaged.passUnretained(self).release()
        }

        private func fail(_ error: HTTPFailure) {
            head.resolve(.failure(error))
            body.finish(throwing: error)
        }

        private func receive(line: UnsafeRawBufferPointer) -> Int {
            lines.append(line)
            guard lines.byteCount <= 64 << 10 else {
                fail(HTTPFailure("the header of the answer has more than 64 KiB"))
                return line.count + 1
            }
            if lines.isComplete { head.resolve(.success((lines.status, lines.headers))) }
            return line.count
        }

        private func receive(body bytes: UnsafeRawBufferPointer) -> Int {
            guard lines.isComplete else { return bytes.count + 1 }
            // What arrives together is passed on together, since a server may send single bytes.
            if portion.isEmpty { CurlThread.shared?.perform { if !self.flush() { self.cancel() } } }
            portion += bytes
            return portion.count < 16 << 10 || flush() ? bytes.count : bytes.count + 1
        }

        /// Passes on what has arrived. Returns whether there was room: 2,048 portions of about 16 KiB may wait.
        private func flush() -> Bool {
            defer { portion = Data() }
            guard !portion.isEmpty, case .dropped = body.yield(portion) else { return true }
            fail(HTTPFailure("too much of the answer waits to be read"))
            return false
        }

        /// Ends the answer with a `CURLcode` and libcurl's words for it.
        func finish(_ code: CInt, _ message: String) {
            _ = flush()
            switch code {
            case 0 where lines.isComplete: body.finish()
            case 0: fail(HTTPFailure("the server closed the connection before its header was complete"))
            // For a header line that is too long, many versions return CURLE_OUT_OF_MEMORY and others CURLE_TOO_LARGE.
            case 27 where !lines.isComplete, 100:
                fail(HTTPFailure("the header of the answer has a line that is too long"))
            // libcurl reads one member of a gzip file only, and then fails as if the data could not be stored.
            case 23, 61:
                fail(HTTPFailure("the body's Content-Encoding can't be decoded; send it uncompressed, as was asked"))
            default: fail(HTTPFailure("the request failed: \(message)"))
            }
            end()
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

    /// Adds the next line, with or without its line end.
    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        byteCount += bytes.count
        guard !isComplete else { return }
        let text = String(decoding: bytes.prefix { $0 != 0x0D && $0 != 0x0A }, as: UTF8.self)
        if text.hasPrefix("HTTP/") {
            let parts = text.split(separator: " ", maxSplits: 2)
            status = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
            headers = [:]
        } else if text.isEmpty {
            // 1xx are interim answers; the final one follows.
            isComplete = status >= 200
        } else if let colon = text.firstIndex(of: ":") {
            let name = text[..<colon].lowercased()
            let value = text[colon...].dropFirst().trimmingCharacters(in: .whitespaces)
            headers[name] = headers[name].map { "\($0), \(value)" } ?? value
        }
    }
}
