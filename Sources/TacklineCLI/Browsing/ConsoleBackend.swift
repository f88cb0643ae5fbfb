#if CommandLine
    import Foundation
    import Synchronization
    import TacklineBrowser
    import TacklineCore
    import TacklineRemoteJSON

    /// A backend that browses the flags of a running program through its web console.
    ///
    /// It exchanges the token of the URL for a session, follows the console's events, and reconnects after the
    /// connection was lost.
    final class ConsoleBackend: FlagsBrowserBackend {
        private let client: ConsoleClient
        private let cookie = Mutex<String?>(nil)
        /// The first and the longest time to wait between attempts to connect.
        private let retry: (first: Duration, last: Duration)
        /// Whether a request has failed. If the stream of events goes on all the same, its next sign of life leads to a new
        /// snapshot.
        private let hasFailed = Atomic<Bool>(false)

        /// - Parameter timeout: The longest time without progress during a request.
        init(
            _ address: ConsoleAddress, retry: (first: Duration, last: Duration) = (.milliseconds(500), .seconds(5)),
            timeout: Duration = .seconds(10)
        ) {
            client = ConsoleClient(address: address, timeout: timeout)
            self.retry = retry
        }

        func snapshot() async throws(FlagsBrowserError) -> FlagsBrowserSnapshot {
            var limits = FlagsBrowserJSON.limits
            limits.maximumBytes = ConsoleClient.limit
            return try FlagsBrowserJSON.read(
                FlagsBrowserSnapshot.self, from: try await answer("/api/state"), limits: limits)
        }

        func flag(id: String) async throws(FlagsBrowserError) -> FlagsBrowserFlag {
            let allowed = CharacterSet.alphanumerics
            let id = id.addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
            return try FlagsBrowserJSON.read(FlagsBrowserFlag.self, from: try await answer("/api/flag?id=\(id)"))
        }

        func reasons(for question: FlagsBrowserQuestion) async throws(FlagsBrowserError) -> FlagsBrowserReasons {
            let text = try await answer("/api/why", body: try FlagsBrowserJSON.text(of: question))
            return try FlagsBrowserJSON.read(FlagsBrowserReasons.self, from: text)
        }

        func preview(_ command: FlagsBrowserCommand) async throws(FlagsBrowserError) -> FlagsBrowserPreview {
            try await preview(FlagsBrowserRequest(command))
        }

        func preview(_ request: FlagsBrowserRequest) async throws(FlagsBrowserError) -> FlagsBrowserPreview {
            let text = try await answer("/api/preview", body: try FlagsBrowserJSON.text(of: request))
            return try FlagsBrowserJSON.read(FlagsBrowserPreview.self, from: text)
        }

        func perform(_ command: FlagsBrowserCommand) async throws(FlagsBrowserError) -> FlagsBrowserReply {
            try await perform(FlagsBrowserRequest(command))
        }

        func perform(_ request: FlagsBrowserRequest) async throws(FlagsBrowserError) -> FlagsBrowserReply {
            let text = try await answer("/api/command", body: try FlagsBrowserJSON.text(of: request))
            return try FlagsBrowserJSON.read(FlagsBrowserReply.self, from: text)
        }

        func updates() -> AsyncStream<FlagsBrowserUpdate> {
            let (stream, continuation) = AsyncStream.makeStream(
                of: FlagsBrowserUpdate.self, bufferingPolicy: .bufferingNewest(1))
            let task = Task { [self] in await follow(continuation) }
            continuation.onTermination = { _ in task.cancel() }
            return stream
        }

        // MARK: Following

        private func follow(_ continuation: AsyncStream<FlagsBrowserUpdate>.Continuation) async {
            var wait = retry.first
            // These numbers never equal a revision of the console, so each event leads to a new snapshot.
            let counter = Atomic<Int>(-1)
            while !Task.isCancelled {
                let opened = Mutex(false)
                let parser = Mutex(ServerSentEventParser(maximumEventBytes: ConsoleClient.limit))
                var reason: String
                do throws(FlagsBrowserError) {
                    let session = try await session()
                    reason = try await listen(session) { [self] bytes in
                        opened.withLock { $0 = true }
                        let events = parser.withLock { parser in (try? parser.consume(bytes)) ?? [] }
                        for event in events {
                            switch event.name {
                            case "ping" where !hasFailed.exchange(false, ordering: .acquiringAndReleasing): break
                            case "away": continuation.yield(.disconnected(reason: event.data))
                            default:
                                let number = counter.subtract(1, ordering: .relaxed).newValue
                                continuation.yield(.changed(revision: number))
                            }
                        }
                    }
                } catch {
                    reason = error.message
                }
                if Task.isCancelled { break }
                if opened.withLock({ $0 }) { wait = retry.first }
                continuation.yield(.disconnected(reason: reason))
                // The console may have been restarted with other secrets.
                cookie.withLock { $0 = nil }
                try? await Task.sleep(for: wait)
                wait = min(wait * 2, retry.last)
            }
            continuation.finish()
        }

        /// - Returns: The reason why the stream ended, for people.
        private func listen(
            _ session: String, onBytes: @escaping @Sendable (Data) -> Void
        ) async throws(FlagsBrowserError) -> String {
            do throws(HTTPTransportError) {
                // The console sends a comment every few seconds, so a silent connection is broken.
                let idle = Duration.seconds(30)
                let status = try await client.stream("/api/events", cookie: session, idle: idle, onBytes: onBytes)
                let event = status.map { "refuses its events with status \($0)" } ?? "has closed the connection"
                return "The console at \(client.address.description) \(event). Trying again."
            } catch {
                throw unreachable(error)
            }
        }

        // MARK: Asking

        private func session() async throws(FlagsBrowserError) -> String {
            if let cookie = cookie.withLock({ $0 }) { return cookie }
            let token = (client.address.token ?? "").addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            let response: HTTPTransportResponse
            do throws(HTTPTransportError) {
                response = try await client.response(to: "/?token=\(token)", cookie: nil)
            } catch {
                throw unreachable(error)
            }
            guard response.status == 303, let field = response.headers["Set-Cookie"],
                let value = field.split(separator: ";").first, value.contains("=")
            else {
                throw FlagsBrowserError(
                    .connection,
                    """
                    The console at \(client.address.description) does not know this token (status \(response.status)). \
                    If the program was started again, use the URL that it prints now, with its token.
                    """)
            }
            cookie.withLock { $0 = String(value) }
            return String(value)
        }

        private func answer(_ path: String, body: String? = nil) async throws(FlagsBrowserError) -> String {
            let session = try await session()
            let response: HTTPTransportResponse
            do throws(HTTPTransportError) {
                response = try await client.response(to: path, body: body, cookie: session)
            } catch {
                hasFailed.store(true, ordering: .releasing)
                throw unreachable(error)
            }
            guard let text = String(validating: response.body, as: UTF8.self) else {
                throw FlagsBrowserError(.unreadableMessage, "The console's answer is not UTF-8. Check its URL.")
            }
            if response.status == 200 { return text }
            if response.status == 401 { cookie.withLock { $0 = nil } }
            if let refusal = try? FlagsBrowserJSON.read(Refusal.self, from: text) { throw refusal.error }
            throw FlagsBrowserError(
                .connection, "The console answers with status \(response.status): \(text.prefix(200)). Check its URL.")
        }

        private struct Refusal: Codable, FlagValue {
            var error: FlagsBrowserError
        }

        private func unreachable(_ error: HTTPTransportError) -> FlagsBrowserError {
            FlagsBrowserError(
                .connection,
                "The console at \(client.address.description) cannot be reached: \(error.reason). Check that its program runs."
            )
        }
    }
#endif
