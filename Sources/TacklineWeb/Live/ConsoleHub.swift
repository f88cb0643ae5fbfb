#if Web
    import TacklineBrowser
    import TacklineCore

    /// A hub between one browser and any number of pages. It takes one snapshot for all pages, and sends them the
    /// differences.
    actor ConsoleHub {
        private let browser: FlagsBrowser
        private let isReadOnly: Bool
        private let maximumStreams: Int
        /// The number of flags from which the flags of an edit are sent before the next snapshot is there.
        private let manyFlags: Int
        /// Returns whether the app still allows overrides. If it doesn't, the streams of all pages are closed.
        private let isAllowed: @Sendable () -> Bool
        /// The snapshot that is being taken, and the one that follows it for those who asked meanwhile.
        private var (current, next): (Renewal?, Renewal?) = (nil, nil)
        private typealias Renewal = Task<Void, Never>
        /// The state that the pages have.
        private var latest: ConsoleState?
        /// The version of the last state.
        private var version = 0
        /// The work for a page that is about to ask for the newest snapshot, and when it began.
        private var preparation: (work: Task<Void, Never>, start: ContinuousClock.Instant)?
        /// The flags of edits that pages have before a snapshot has them, and the revision of the edit.
        private var early: [String: (flag: FlagsBrowserFlag, revision: Int)] = [:]
        private var pages = ConsoleHub.makePages()

        init(
            browser: FlagsBrowser, isReadOnly: Bool, maximumStreams: Int, manyFlags: Int = 500,
            isAllowed: @escaping @Sendable () -> Bool = { true }
        ) {
            self.isAllowed = isAllowed
            self.browser = browser
            self.isReadOnly = isReadOnly
            self.maximumStreams = maximumStreams
            self.manyFlags = manyFlags
        }

        /// Follows the browser until it ends or the task is cancelled.
        func run() async {
            for await revision in browser.updates() {
                if !isAllowed() { close() }
                // Without pages no snapshot is taken; the next page takes its own.
                guard !pages.isEmpty else {
                    latest = nil
                    continue
                }
                await refresh(to: revision)
            }
        }

        /// Sends a heartbeat to every page at an interval until the task is cancelled. It also sends changes that no
        /// notice reports: values of providers that don't notify observers, computed values, and the status of
        /// providers.
        func beat(every interval: Duration) async {
            while (try? await Task.sleep(for: interval)) != nil {
                if !isAllowed() { close() }
                send(event: "ping", "")
                // The next sign of life doesn't wait for the snapshot.
                if !pages.isEmpty { Task { await renew() } }
            }
        }

        /// Ends all streams.
        func close() {
            pages.finish()
            pages = Self.makePages()
        }

        private static func makePages() -> FlagBroadcast<String> { FlagBroadcast(bufferLimit: 32) }

        /// Begins the snapshot for a page that is about to ask for it, while the page loads its files.
        func prepare() {
            let running = current
            let work = Task<Void, Never> {
                if let running { await running.value } else { await renew() }
            }
            preparation = (work, .now)
        }

        /// Returns the newest snapshot as JSON.
        func state() async throws(FlagsBrowserError) -> String {
            try await use { (state) throws(FlagsBrowserError) in try FlagsBrowserJSON.text(of: state.snapshot) }
        }

        /// Returns the list for a page.
        func list(_ request: ConsoleListRequest) async throws(FlagsBrowserError) -> ConsoleList {
            if latest == nil, request.isWhole == true, request.waits != true,
                let list = await preliminaryList(for: request)
            {
                return list
            }
            return try await use { [manyFlags] state in state.list(for: request, manyFlags: manyFlags) }
        }

        /// Returns the list for a page that opens before the first snapshot of many flags is there; `nil` if the page has a
        /// filter, or if there are few flags.
        private func preliminaryList(for request: ConsoleListRequest) async -> ConsoleList? {
            guard request.filter == FlagsBrowserFilter() else { return nil }
            let outline = browser.outline()
            guard outline.flags.count >= manyFlags else { return nil }
            var state = ConsoleState(restricted(outline), version: 0)
            var list = state.list(for: request, manyFlags: 0)
            var flags: [FlagsBrowserFlag] = []
            for flag in list.flags { if let flag = try? self.flag(id: flag.id) { flags.append(flag) } }
            list.flags = flags
            list.facets = []
            list.isPreliminary = true
            return list
        }

        /// Returns some flags as they are in the list.
        func flags(_ ids: [String]) async throws(FlagsBrowserError) -> ConsoleFlags {
            guard !ids.isEmpty else { return ConsoleFlags(version: version, flags: []) }
            return try await use { state in state.flags(ids) }
        }

        /// Returns what is made of the newest state.
        private func use<Result>(
            _ make: (inout ConsoleState) throws(FlagsBrowserError) -> Result
        ) async throws(FlagsBrowserError) -> Result {
            if let (work, start) = preparation, start.duration(to: .now) < .seconds(10) {
                preparation = nil
                // What is this new is shown at once, and what has changed since follows as a difference.
                if latest.map({ $0.time.duration(to: .now) > .seconds(5) }) ?? true { await work.value }
                if latest == nil { await renew() }
            } else if latest == nil || pages.isEmpty {
                preparation = nil
                await renew()
            }
            guard var state = latest else {
                throw FlagsBrowserError(.connection, "The flags are not there yet. Load the page again.")
            }
            latest = nil
            defer { latest = state }
            return try make(&state)
        }

        /// Takes over a snapshot as the newest one.
        private func take(_ snapshot: FlagsBrowserSnapshot) -> ConsoleState {
            version += 1
            let state = ConsoleState(snapshot, version: version)
            latest = state
            return state
        }

        func flag(id: String) throws(FlagsBrowserError) -> FlagsBrowserFlag {
            var flag = try browser.flag(id: id)
            if isReadOnly, flag.refusal == nil { flag.refusal = Self.readOnly }
            return flag
        }

        func reasons(for question: FlagsBrowserQuestion) async throws(FlagsBrowserError) -> FlagsBrowserReasons {
            try await browser.reasons(for: question)
        }

        func preview(_ request: FlagsBrowserRequest) throws(FlagsBrowserError) -> FlagsBrowserPreview {
            try admit(request.command)
            return try browser.preview(request)
        }

        /// Performs a command, and updates the pages before it returns.
        func perform(_ request: FlagsBrowserRequest) async throws(FlagsBrowserError) -> FlagsBrowserReply {
            try admit(request.command)
            let reply = try await browser.perform(request)
            guard !request.command.isReading else { return reply }
            showAtOnce(reply)
            await refresh(to: reply.revision)
            return reply
        }

        /// Sends the pages the flags of an edit, since a snapshot of many thousand flags takes a second.
        private func showAtOnce(_ reply: FlagsBrowserReply) {
            guard let count = latest?.snapshot.flags.count, count >= manyFlags, reply.flags.count <= 20 else { return }
            var flags: [FlagsBrowserFlag] = []
            for id in reply.flags { if let flag = try? flag(id: id) { flags.append(flag) } }
            let message = ConsoleFlags(version: version + 1, flags: flags)
            guard var snapshot = latest?.snapshot, let text = try? FlagsBrowserJSON.text(of: message),
                text.utf8.count < 1 << 20
            else { return }
            for flag in flags { early[flag.id] = (flag, reply.revision) }
            // The next difference is one to what the pages have then.
            takeEarlyFlags(into: &snapshot)
            _ = take(snapshot)
            send(event: "flags", text)
        }

        /// Puts the flags that pages have already into a snapshot, and forgets those that it is newer than.
        private func takeEarlyFlags(into snapshot: inout FlagsBrowserSnapshot) {
            early = early.filter { $0.value.revision > snapshot.revision }
            guard !early.isEmpty else { return }
            for index in snapshot.flags.indices {
                if let (flag, _) = early[snapshot.flags[index].id] { snapshot.flags[index] = flag }
            }
        }

        /// Returns a stream of events for a page, or `nil` if there are too many. The stream begins with a `hello`
        /// event. A page that doesn't keep up loses the oldest events, and detects that by the revisions.
        func subscribe() -> AsyncStream<String>? {
            // The snapshot may be out of date, because none is taken while there are no pages.
            if pages.isEmpty, preparation == nil { latest = nil }
            return pages.makeStream(beginningWith: Self.event("hello", ""), limit: maximumStreams)
        }

        private static let readOnly = FlagsBrowserRefusal(
            code: .readOnly, message: "This console only shows. It was started with isReadOnly.")

        private func admit(_ command: FlagsBrowserCommand) throws(FlagsBrowserError) {
            guard isReadOnly, !command.isReading else { return }
            throw FlagsBrowserError(Self.readOnly.code, Self.readOnly.message)
        }

        /// Updates the pages to a revision, unless they have it.
        private func refresh(to revision: Int) async {
            guard latest.map({ $0.snapshot.revision < revision }) ?? true else { return }
            await renew()
        }

        /// Takes a snapshot, and sends the pages the differences. All who ask while one is taken get the next one.
        private func renew() async {
            let earlier = current
            let renewal =
                next
                ?? Task {
                    await earlier?.value
                    (current, next) = (next, nil)
                    defer { current = nil }
                    await takeSnapshot()
                }
            next = renewal
            await renewal.value
        }

        private func takeSnapshot() async {
            var snapshot = restricted(await Self.snapshot(of: browser))
            takeEarlyFlags(into: &snapshot)
            guard let old = latest else {
                _ = take(snapshot)
                return
            }
            // Snapshots may arrive out of order.
            guard snapshot.revision >= old.snapshot.revision else { return }
            if snapshot.revision == old.snapshot.revision {
                // A change without a notice doesn't raise the revision.
                var same = snapshot
                same.time = old.snapshot.time
                guard same != old.snapshot else { return }
            }
            let new = take(snapshot)
            guard !pages.isEmpty, let text = try? FlagsBrowserJSON.text(of: ConsoleDelta(from: old, to: new)) else {
                return
            }
            send(event: "delta", text)
        }

        /// Returns a snapshot that says so if this console only shows.
        private func restricted(_ snapshot: FlagsBrowserSnapshot) -> FlagsBrowserSnapshot {
            guard isReadOnly else { return snapshot }
            var snapshot = snapshot
            snapshot.readOnlyReason = Self.readOnly
            for index in snapshot.flags.indices where snapshot.flags[index].refusal == nil {
                snapshot.flags[index].refusal = Self.readOnly
            }
            return snapshot
        }

        /// Runs off the actor, which answers other requests meanwhile.
        @concurrent
        private nonisolated static func snapshot(of browser: FlagsBrowser) async -> FlagsBrowserSnapshot {
            browser.snapshot()
        }

        private func send(event: String, _ data: String) {
            pages.send(Self.event(event, data))
        }

        /// Returns an event of a `text/event-stream`, where a line break would end the data. Only CR and LF count as
        /// line breaks there. Swift recognizes more line breaks, which JSON may contain unescaped.
        private static func event(_ name: String, _ data: String) -> String {
            let lines = data.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r" || $0 == "\r\n" }
            return "event: \(name)\n" + lines.map { "data: \($0)\n" }.joined() + "\n"
        }
    }
#endif
