#if Web
    import FlyingFox
    import FlyingSocks
    import Foundation
    import TacklineBrowser

    extension HTTPResponse {
        /// Creates a response of a console.
        ///
        /// Every response, including errors, forbids what none needs: caching, framing, sniffing of another type, and
        /// access by other sites.
        init(_ status: HTTPStatusCode, type: String, _ body: HTTPBodySequence, fields: [String: String] = [:]) {
            self.init(statusCode: status, body: body)
            var all = [
                "Content-Type": "\(type); charset=utf-8",
                "Cache-Control": "no-store",
                "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
                "X-Content-Type-Options": "nosniff",
                "X-Frame-Options": "DENY",
                "Referrer-Policy": "no-referrer",
                "Cross-Origin-Opener-Policy": "same-origin",
                "Cross-Origin-Resource-Policy": "same-origin",
            ]
            all.merge(fields) { $1 }
            for (name, value) in all { headers[HTTPHeader(name)] = value }
        }

        init(_ status: HTTPStatusCode, type: String = "text/plain", _ text: String, fields: [String: String] = [:]) {
            self.init(status, type: type, HTTPBodySequence(data: Data(text.utf8)), fields: fields)
        }

        init(_ error: FlagsBrowserError) {
            let status: HTTPStatusCode =
                switch error.code {
                case .unknownFlag, .unknownGroup, .unknownDestination: .notFound
                case .locked, .readOnly, .production, .noDestination: .forbidden
                case .unreadableMessage: .badRequest
                case .invalidValue, .invalidExpiry, .unreadableBundle: .unprocessableContent
                default: .internalServerError
                }
            let data = (try? FlagsBrowserJSON.data(of: error)) ?? Data()
            self.init(status, type: "application/json", HTTPBodySequence(data: data))
        }

        /// A stream of events that carry the revision of the flags.
        init(revisions: AsyncStream<Int>, while isAllowed: @escaping @Sendable () -> Bool) {
            let events = revisions.prefix { _ in isAllowed() }.map { revision throws in
                Array("event: changed\ndata: \(revision)\n\n".utf8)
            }
            self.init(.ok, type: "text/event-stream", HTTPBodySequence(from: Pieces(base: events)))
        }

        /// The response, after which the connection is closed. FlyingFox would take the unread rest of a body for the
        /// next request.
        func closing() async throws -> HTTPResponse {
            let bytes = Array(try await bodyData)
            let pieces = AsyncThrowingStream<[UInt8], any Error> { continuation in
                continuation.yield(bytes)
                continuation.finish(throwing: SocketError.disconnected)
            }
            var response = self
            response.headers[.connection] = "close"
            response.payload = .httpBody(HTTPBodySequence(from: Pieces(base: pieces), count: bytes.count))
            return response
        }
    }

    /// Bytes that are sent in pieces, as FlyingFox wants them.
    ///
    /// The error type is fixed, because Swift 6.3 crashes for Apple's systems where a generic iterator throws a generic
    /// one.
    private struct Pieces<Base: AsyncSequence & Sendable>: AsyncBufferedSequence
    where Base.Element == [UInt8], Base.Failure == any Error {
        typealias Element = UInt8

        struct AsyncIterator: AsyncBufferedIteratorProtocol {
            var base: Base.AsyncIterator
            var rest: ArraySlice<UInt8> = []

            mutating func next() async throws -> UInt8? { try await nextBuffer(suggested: 1)?.first }

            mutating func nextBuffer(suggested count: Int) async throws -> ArraySlice<UInt8>? {
                if rest.isEmpty {
                    guard let piece = try await base.next(isolation: #isolation) else { return nil }
                    rest = piece[...]
                }
                defer { rest = rest.dropFirst(count) }
                return rest.prefix(count)
            }
        }

        let base: Base

        func makeAsyncIterator() -> AsyncIterator { AsyncIterator(base: base.makeAsyncIterator()) }
    }
#endif
