#if canImport(FoundationNetworking) && canImport(CTacklineCurl)
    import CTacklineCurl
    import Foundation
    import Synchronization

    // Foundation: `Thread` is blocked by libcurl, `URL` is the target of a redirect.

    /// The work of one exchange, redirects included, by libcurl on a thread of its own.
    final class CurlTransfer: HTTPExchangeWork {
        private struct Control {
            /// The address of libcurl's request, while there is one.
            var request: UInt?
            var isCancelled = false
        }

        private let exchange: HTTPExchange
        private let authorities: String?
        /// The lock is held while another thread uses the request, so that it is not destroyed meanwhile.
        private let control = Mutex(Control())

        init(_ exchange: HTTPExchange, authorities: String?) {
            self.authorities = authorities
            self.exchange = exchange
        }

        func resume() {
            Thread.detachNewThread { self.run() }
        }

        func cancel() {
            control.withLock { control in
                control.isCancelled = true
                if let request = control.request { tackline_curl_stop(OpaquePointer(bitPattern: request)) }
            }
        }

        /// The pause is requested by the result of libcurl's write callback, so this is always possible.
        func holdBack() -> Bool { true }

        func proceed() {
            control.withLock { control in
                if let request = control.request { tackline_curl_proceed(OpaquePointer(bitPattern: request)) }
            }
        }

        private func run() {
            var url = exchange.request.url
            var headers = exchange.request.headers
            while !control.withLock({ $0.isCancelled }) {
                let answer = CurlAnswer(exchange)
                let error = perform(url, headers, answer)
                guard let location = answer.redirect else { return finish(answer, error) }
                let target = URL(string: location, relativeTo: url)?.absoluteURL
                guard let next = exchange.didReceiveRedirect(to: target), let target else { return }
                url = target
                headers = next
            }
        }

        private func finish(_ answer: CurlAnswer, _ error: HTTPTransportError?) {
            if let error { return exchange.didComplete(error) }
            guard answer.lines.isComplete else {
                let reason = "the server closed the connection before its header was complete"
                return exchange.didComplete(HTTPTransportError(.connection, reason: reason))
            }
            exchange.didComplete(nil)
        }

        /// Makes one request, and waits for its end or its cancellation.
        private func perform(_ url: URL, _ headers: HTTPTransportHeaders, _ answer: CurlAnswer) -> HTTPTransportError? {
            let beginning = HTTPTransportError(.connection, reason: "libcurl could not begin the request")
            guard let request = tackline_curl_make() else { return beginning }
            defer {
                control.withLock { $0.request = nil }
                tackline_curl_destroy(request)
            }
            for field in headers.fields { _ = tackline_curl_add_line(request, Self.line(of: field)) }
            if let body = exchange.request.body {
                // With `Expect`, libcurl would wait for the server's permission to send a long body.
                _ = tackline_curl_add_line(request, "Expect:")
                let isTaken = body.withUnsafeBytes { bytes in
                    tackline_curl_set_body(request, bytes.baseAddress, bytes.count)
                }
                guard isTaken != 0 else { return beginning }
            }
            // libcurl uses the pointer during `tackline_curl_perform` only, and the answer is kept that long, below.
            let pointer = Unmanaged.passUnretained(answer).toOpaque()
            let isSet = tackline_curl_set(
                request, url.absoluteString, authorities, pointer,
                { CurlAnswer.behind($0)?.receive(line: UnsafeBufferPointer(start: $1, count: $2)) ?? 1 },
                { CurlAnswer.behind($0)?.receive(body: UnsafeBufferPointer(start: $1, count: $2)) ?? 1 })
            let wasCancelled = control.withLock { control in
                control.request = UInt(bitPattern: request)
                return control.isCancelled
            }
            guard isSet != 0, !wasCancelled else { return beginning }
            let code = withExtendedLifetime(answer) { tackline_curl_perform(request) }
            return code == 0 ? nil : Self.error(code, request, answer)
        }

        /// Returns the field as a line, without line breaks, since a line break would begin another field.
        private static func line(of field: HTTPTransportHeaders.Field) -> String {
            let text = "\(field.name)\(field.value.isEmpty ? ";" : ": \(field.value)")"
            return String(decoding: text.utf8.filter { ![0x0D, 0x0A, 0].contains($0) }, as: UTF8.self)
        }

        /// Returns the error for a `CURLcode`.
        private static func error(_ number: CInt, _ request: OpaquePointer, _ answer: CurlAnswer) -> HTTPTransportError
        {
            let code: HTTPTransportError.Code
            switch number {
            case -1: return HTTPTransportError(.cancelled, reason: "the request was cancelled")
            // For a header line that is too long, many versions return CURLE_OUT_OF_MEMORY and others CURLE_TOO_LARGE.
            case 27 where !answer.lines.isComplete, 100: return .headerIsTooLarge
            case 18, 61: code = .incomplete  // CURLE_PARTIAL_FILE, CURLE_BAD_CONTENT_ENCODING
            case 28: code = .timedOut  // CURLE_OPERATION_TIMEDOUT
            default: code = .connection
            }
            let text = tackline_curl_message(request, number).map { String(cString: $0) }
            return HTTPTransportError(code, reason: "the request failed: \(text ?? "libcurl \(number)")")
        }
    }

    /// The data of one request that libcurl delivers. It is used only on the thread that waits for the request.
    private final class CurlAnswer {
        private let exchange: HTTPExchange
        private(set) var lines = HTTPHeaderLines()
        /// The target of the server's redirect, if there is one.
        private(set) var redirect: String?

        init(_ exchange: HTTPExchange) {
            self.exchange = exchange
        }

        /// Receives a line of the header.
        func receive(line: UnsafeBufferPointer<UInt8>) -> CInt {
            let wasComplete = lines.isComplete
            lines.append(line)
            guard lines.byteCount <= HTTPExchange.maximumHeaderBytes else {
                exchange.didComplete(.headerIsTooLarge)
                return CInt(tackline_curl_over)
            }
            guard lines.isComplete, !wasComplete else { return CInt(tackline_curl_taken) }
            if exchange.follows(lines.status), let location = lines.headers["Location"] {
                redirect = location
                return CInt(tackline_curl_over)
            }
            exchange.didReceiveHead(status: lines.status, headers: lines.headers)
            return CInt(tackline_curl_taken)
        }

        /// Receives a portion of the body.
        func receive(body: UnsafeBufferPointer<UInt8>) -> CInt {
            guard lines.isComplete else { return CInt(tackline_curl_over) }
            switch exchange.offer(Data(body)) {
            case .taken: return CInt(exchange.isOver ? tackline_curl_over : tackline_curl_taken)
            case .later: return CInt(tackline_curl_wait)
            }
        }

        /// Returns the answer behind a pointer that was given to libcurl.
        static func behind(_ pointer: UnsafeMutableRawPointer?) -> CurlAnswer? {
            pointer.map { Unmanaged<CurlAnswer>.fromOpaque($0).takeUnretainedValue() }
        }
    }
#endif
