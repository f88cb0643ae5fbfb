#if CommandLine
    import ArgumentParser
    import Foundation
    import TacklineCore
    import TacklineRemoteJSON

    struct WatchCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "watch",
            abstract: "Prints the changes of a document on a server as they arrive.",
            discussion: """
                Asks as an app with a RemoteJSONProvider does: with ETags, at intervals, and at once where the server has \
                an event stream. Errors are printed, and it goes on; but if the first request fails it ends with 2, unless \
                it is to keep trying.

                Ends with control-C: with 0 if there ever was a document, else with 2. With --count it ends after so many \
                changes. If the server refuses (401, 404 and the like) before there was a document it ends with 2 in any \
                case.

                  tackline watch https://cdn.example.com/flags.json
                  tackline watch http://127.0.0.1:8642/flags.json --events http://127.0.0.1:8642/events --json
                """
        )

        @Argument(help: "The document's URL, http or https.")
        var url: String

        @Option(help: ArgumentHelp("The URL of the event stream of changes.", valueName: "url"))
        var events: String?

        @Option(help: "How many seconds to wait between two requests, at least 30.")
        var interval: Int = 30

        @Option(help: "End after this many changed values.")
        var count: Int?

        @ArgumentParser.Flag(help: "Wait for a server that cannot be reached yet.")
        var keepTrying = false

        @OptionGroup var output: OutputOptions

        func validate() throws {
            if interval < 30 {
                throw ValidationError("--interval is at least 30; use --events to get changes at once.")
            }
            if let count, count < 1 { throw ValidationError("--count is at least 1.") }
        }

        func run() async throws {
            var configuration = RemoteJSONConfiguration()
            configuration.cache = .disabled
            configuration.pollInterval = .seconds(interval)
            configuration.userAgent = "tackline-watch/1"
            configuration.streamURL = try events.map(Self.url)
            let provider = RemoteJSONProvider(url: try Self.url(url), name: "server", configuration: configuration)
            let received = provider.events
            var follower = Follower(
                url: url, limit: count, keepsTrying: keepTrying, log: ServeLog(isJSON: output.isJSON),
                provider: provider)
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
            for await event in received {
                // A closed output, such as a pipe to `head`, ends the watch too.
                if try follower.take(event) || follower.log.output.isClosed { return }
                // This is the last event after a signal.
                if case .stopped = event { break }
            }
            guard follower.values != nil else {
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
            let url: String
            /// The number of changed values after which the watch ends; `nil` for no limit.
            let limit: Int?
            /// Whether the watch continues if it cannot get a first document because of errors or rejected documents.
            let keepsTrying: Bool
            let log: ServeLog
            let provider: RemoteJSONProvider
            private(set) var values: FlagDocument?
            private var count = 0

            init(
                url: String, limit: Int?, keepsTrying: Bool, log: ServeLog, provider: RemoteJSONProvider
            ) {
                (self.url, self.limit, self.keepsTrying) = (url, limit, keepsTrying)
                (self.log, self.provider) = (log, provider)
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
                guard values == nil, !keepsTrying else { return }
                throw CommandFailure(
                    "There is no document at \(url) to watch: \(reason). --keep-trying waits until there is one.")
            }

            private mutating func takeValues() -> Bool {
                let new = provider.document ?? FlagDocument()
                guard let old = values else {
                    values = new
                    let count = new.changes(from: FlagDocument()).count
                    log.tell("ready", "watching \(count.of("value")) at \(url)", ["values": .count(count)])
                    return false
                }
                values = new
                for change in new.changes(from: old) {
                    count += 1
                    let from = change.old?.description ?? "nothing"
                    let to = change.new?.description ?? "nothing"
                    log.tell("changed", "\(change.key.text)  \(from) → \(to)", change.members("old", "new"))
                    if let limit, count >= limit { return true }
                }
                return false
            }
        }
    }
#endif
