#if CommandLine
    import Foundation
    import TacklineCore
    import TacklineRemoteJSON

    /// A watch that prints the changes of a document on a server.
    struct FlagWatch: Sendable {
        let url: String
        let eventsURL: String?
        let interval: Duration
        /// The number of changed values after which the watch ends; `nil` for no limit.
        let limit: Int?
        /// Whether the watch continues if it cannot get a first document because of errors or rejected documents.
        let keepsTrying: Bool
        let log: ServeLog

        /// Watches until a signal arrives or the limit is reached.
        ///
        /// - Throws: ``CommandFailure`` if a URL is not valid, or if there never was a document.
        func run() async throws {
            var configuration = RemoteJSONConfiguration()
            configuration.cache = .disabled
            configuration.pollInterval = interval
            configuration.userAgent = "tackline-watch/1"
            configuration.streamURL = try eventsURL.map { text throws(CommandFailure) in try Self.url(text) }
            let provider = RemoteJSONProvider(url: try Self.url(url), name: "server", configuration: configuration)
            let events = provider.events
            var follower = Follower(watch: self, provider: provider)
            let arrivals = await StopSignals.arrivals()
            let running = Task { try? await provider.run() }
            let signals = Task {
                for await _ in arrivals { break }
                running.cancel()
            }
            defer {
                running.cancel()
                signals.cancel()
            }
            for await event in events {
                // A closed output, such as a pipe to `head`, ends the watch too.
                if try follower.take(event) || log.output.isClosed { return }
                // This is the last event after a signal.
                if case .stopped = event { break }
            }
            guard follower.hasValues else {
                throw CommandFailure("There was no document at \(url) to watch; check the URL.")
            }
        }

        private static func url(_ text: String) throws(CommandFailure) -> URL {
            guard let url = URL(string: text), ["http", "https"].contains(url.scheme?.lowercased()),
                url.host()?.isEmpty == false
            else {
                throw CommandFailure("\"\(text)\" is not a URL that begins with http:// or https://.", status: .usage)
            }
            return url
        }

        /// The values and the number of changes so far.
        private struct Follower {
            let watch: FlagWatch
            let provider: RemoteJSONProvider
            var values: FlagDocument?
            var count = 0

            var hasValues: Bool { values != nil }
            private var log: ServeLog { watch.log }

            init(watch: FlagWatch, provider: RemoteJSONProvider) {
                self.watch = watch
                self.provider = provider
            }

            /// Takes an event, and prints the changes or the problem.
            ///
            /// - Returns: Whether the limit is reached.
            /// - Throws: If the server refuses the first request or, unless `keepsTrying` is set, if there is no first
            ///   document.
            mutating func take(_ event: RemoteJSONEvent) throws(CommandFailure) -> Bool {
                switch event {
                case .ready, .changed:
                    return takeValues()
                case .unchanged, .suspended, .resumed, .staged, .activated, .cacheWriteFailed, .stopped:
                    return false
                case .rejected(let reason, let status):
                    try endUnlessPatient("it answers with status \(status), and the document is rejected: \(reason)")
                    log.tell(
                        "rejected", "rejected: \(reason)",
                        ["reason": .string(reason), "status": .integer(Int128(status))])
                case .failed(let error, let attempt, _):
                    if case .misconfigured(let status) = provider.state.activity, values == nil {
                        throw CommandFailure(
                            "The server refuses with status \(status): \(error.reason). Check the URL.")
                    }
                    try endUnlessPatient(error.reason)
                    log.tell(
                        "failed", "failed: \(error.reason)",
                        ["reason": .string(error.reason), "attempt": .integer(Int128(attempt))])
                case .clockDiffers:
                    log.tell("clock", "\(event)")
                case .throttled, .stale:
                    log.tell("\(event)".hasPrefix("stale") ? "stale" : "throttled", "\(event)")
                }
                return false
            }

            /// Throws if there is no document yet, unless `keepsTrying` is set.
            private func endUnlessPatient(_ reason: String) throws(CommandFailure) {
                guard values == nil, !watch.keepsTrying else { return }
                throw CommandFailure(
                    "There is no document at \(watch.url) to watch: \(reason). --keep-trying waits until there is one.")
            }

            private mutating func takeValues() -> Bool {
                let new = provider.document ?? FlagDocument()
                guard let old = values else {
                    values = new
                    let keys = new.changes(from: FlagDocument()).count
                    log.tell(
                        "ready", "watching \(keys == 1 ? "1 value" : "\(keys) values") at \(watch.url)",
                        ["values": .integer(Int128(keys))])
                    return false
                }
                values = new
                for change in new.changes(from: old) {
                    count += 1
                    let from = change.old?.description ?? "nothing"
                    let to = change.new?.description ?? "nothing"
                    var members: [String: EncodedFlagValue] = ["key": .string(change.key.text)]
                    members["old"] = change.old
                    members["new"] = change.new
                    log.tell("changed", "\(change.key.text)  \(from) → \(to)", members)
                    if let limit = watch.limit, count >= limit { return true }
                }
                return false
            }
        }
    }
#endif
