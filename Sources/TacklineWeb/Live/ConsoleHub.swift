#if Web
    import TacklineBrowser
    import TacklineCore

    /// Stands between one browser and any number of pages: it takes one snapshot for all of them, and tells all of them what
    /// became different.
    actor ConsoleHub {
        private let backend: any FlagsBrowserBackend
        private let isReadOnly: Bool
        private let maximumStreams: Int
        /// What the pages hold, and its JSON once somebody asked for it.
        private var latest: (snapshot: FlagsBrowserSnapshot, text: String?)?
        private var pages: [Int: AsyncStream<String>.Continuation] = [:]
        private var count = 0

        init(backend: any FlagsBrowserBackend, isReadOnly: Bool, maximumStreams: Int) {
            self.backend = backend
            self.isReadOnly = isReadOnly
            self.maximumStreams = maximumStreams
        }

        /// Follows the browser until it ends or the task is cancelled.
        func run() async {
            for await update in backend.updates() {
                // With nobody looking, the next page takes its own snapshot.
                guard !pages.isEmpty else {
                    latest = nil
                    continue
                }
                switch update {
                case .changed(let revision): await refresh(to: revision)
                case .disconnected(let reason): send(event: "away", reason)
                }
            }
        }

        /// Sends a sign of life to every page, again and again, until the task is cancelled, and with it what nobody tells:
        /// values of providers that cannot tell changes, computed ones, how providers are doing.
        func beat(every interval: Duration) async {
            while (try? await Task.sleep(for: interval)) != nil {
                send(event: "ping", "")
                if !pages.isEmpty { try? await renew() }
            }
        }

        /// Ends all streams.
        func close() {
            for page in pages.values { page.finish() }
            pages = [:]
        }

        /// The newest snapshot as JSON.
        func state() async throws(FlagsBrowserError) -> String {
            if latest == nil || pages.isEmpty { try await renew() }
            guard let snapshot = latest?.snapshot else { throw FlagsBrowserError(.connection, "There is no snapshot.") }
            if let text = latest?.text { return text }
            let text = try FlagsBrowserJSON.text(of: snapshot)
            if latest?.snapshot.revision == snapshot.revision { latest?.text = text }
            return text
        }

        func flag(id: String) async throws(FlagsBrowserError) -> FlagsBrowserFlag {
            var flag = try await backend.flag(id: id)
            if isReadOnly, flag.refusal == nil { flag.refusal = Self.readOnly }
            return flag
        }

        func reasons(for question: FlagsBrowserQuestion) async throws(FlagsBrowserError) -> FlagsBrowserReasons {
            try await backend.reasons(for: question)
        }

        func preview(_ command: FlagsBrowserCommand) async throws(FlagsBrowserError) -> FlagsBrowserPreview {
            try admit(command)
            return try await backend.preview(command)
        }

        /// Does a command, and tells the pages before it returns.
        func perform(_ request: FlagsBrowserRequest) async throws(FlagsBrowserError) -> FlagsBrowserReply {
            try admit(request.command)
            let reply = try await backend.perform(request)
            if !request.command.isReading { await refresh(to: reply.revision) }
            return reply
        }

        /// Returns a stream of events for a page, beginning with the revision that the hub holds; `nil` if there are too
        /// many. A page that does not keep up loses the oldest, and sees it by the revisions.
        func subscribe() -> AsyncStream<String>? {
            guard pages.count < maximumStreams else { return nil }
            // What was kept while nobody looked may be old.
            if pages.isEmpty { latest = nil }
            count += 1
            let id = count
            let (stream, continuation) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingNewest(32))
            continuation.onTermination = { [weak self] _ in Task { await self?.leave(id) } }
            pages[id] = continuation
            continuation.yield(Self.event("hello", ""))
            return stream
        }

        private func leave(_ id: Int) {
            pages[id] = nil
        }

        private static let readOnly = FlagsBrowserRefusal(
            code: .readOnly, message: "This console only shows. It was started with isReadOnly.")

        private func admit(_ command: FlagsBrowserCommand) throws(FlagsBrowserError) {
            guard isReadOnly, !command.isReading else { return }
            throw FlagsBrowserError(Self.readOnly.code, Self.readOnly.message)
        }

        /// Brings the pages to a revision, unless they have it.
        private func refresh(to revision: Int) async {
            guard latest.map({ $0.snapshot.revision < revision }) ?? true else { return }
            do throws(FlagsBrowserError) {
                try await renew()
            } catch {
                send(event: "away", error.message)
            }
        }

        /// Takes a snapshot, and tells the pages what became different.
        private func renew() async throws(FlagsBrowserError) {
            var snapshot = try await backend.snapshot()
            if isReadOnly {
                snapshot.readOnlyReason = Self.readOnly
                for index in snapshot.flags.indices where snapshot.flags[index].refusal == nil {
                    snapshot.flags[index].refusal = Self.readOnly
                }
            }
            // Two may be under way at once; the newer one stays.
            guard let old = latest?.snapshot else {
                latest = (snapshot, nil)
                return
            }
            guard snapshot.revision >= old.revision else { return }
            if snapshot.revision == old.revision {
                // What nobody tells raises no revision.
                var same = snapshot
                same.time = old.time
                guard same != old else { return }
            }
            latest = (snapshot, nil)
            guard !pages.isEmpty else { return }
            send(event: "delta", try FlagsBrowserJSON.text(of: ConsoleDelta(from: old, to: snapshot)))
        }

        private func send(event: String, _ data: String) {
            let text = Self.event(event, data)
            for page in pages.values { page.yield(text) }
        }

        /// An event of a `text/event-stream`, where a line break would end the data. That is CR and LF only: Swift knows
        /// more line breaks, which JSON may hold as they are.
        private static func event(_ name: String, _ data: String) -> String {
            let lines = data.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r" || $0 == "\r\n" }
            return "event: \(name)\n" + lines.map { "data: \($0)\n" }.joined() + "\n"
        }
    }
#endif
