#if CommandLine
    import Foundation
    import Synchronization
    import TacklineBrowser
    import TacklineCore
    import TacklineComposition
    import TacklineFiles
    import TacklineManifest

    /// A backend that browses a file: flag definitions, or a value file whose flags come from a manifest or, without
    /// one, from its values.
    final class FileBackend: FlagsBrowserBackend {
        private let file: BrowsedFile
        private let title: String
        private let manifest: FlagManifest?
        private let current: Mutex<Current>
        private let observer: FlagProviderObserver
        private let notices: AsyncStream<FlagProviderNotice>

        /// A browser has a fixed set of flags, so a new flag in the file needs a new browser.
        private struct Current {
            var flags: FileFlags
            /// The known types of flags, by key.
            var types: [String: FlagManifest.ValueType]
            var browser: FlagsBrowser
            /// The number that is added to the browser's revision, so that revisions only grow.
            var revision = 0
            /// Whether the file was unusable when it was last read.
            var isBroken = false
        }

        /// Opens a file.
        ///
        /// - Parameter content: The content of the file; `nil` to recognize it from its members.
        /// - Throws: If the file cannot be read, or contains nothing that can be browsed.
        init(
            path: String, manifest: FlagManifest?, as content: FlagFile.Content? = nil, isReadOnly: Bool
        ) throws(CommandFailure) {
            let url = URL(filePath: path)
            title = url.lastPathComponent
            self.manifest = manifest
            let isThere = FileManager.default.fileExists(atPath: path)
            guard manifest != nil || isThere else {
                throw CommandFailure(
                    "\(path) is not there; check the spelling, or give a manifest to begin a new file.")
            }
            switch isThere ? try FlagFile(path: path, as: content).content : .values {
            case .values: file = BrowsedFile(path: path, content: content)
            case .flagd:
                guard manifest == nil else {
                    throw CommandFailure(
                        "\(path) holds flag definitions, which have their own variants; leave the manifest out.")
                }
                file = BrowsedFile(path: path, content: .flagd)
            case .manifest:
                throw CommandFailure(
                    """
                    \(path) holds a manifest: what flags there are, not what they are set to. Name the value file, and give \
                    this with --manifest; tackline manifest prints it.
                    """)
            }
            if case .failed(let error) = file.status { throw CommandFailure("\(path): \(error.reason).") }
            let flags = manifest.map { FileFlags($0, title: url.lastPathComponent) } ?? file.flags
            let access: FlagsBrowserAccess = isReadOnly ? .readOnly : .full
            self.access = access
            let browser = Self.browser(of: flags, file: file, title: url.lastPathComponent, access: access)
            current = Mutex(
                Current(flags: flags, types: manifest != nil || file.statesTypes ? flags.types : [:], browser: browser))
            (observer, notices) = FlagProviderObserver.makeStream()
            _ = file.observe(observer)
        }

        private let access: FlagsBrowserAccess

        private static func browser(
            of flags: FileFlags, file: BrowsedFile, title: String, access: FlagsBrowserAccess
        ) -> FlagsBrowser {
            let roots = flags.sections.map { section in
                DeclaredFlags.$entries.withValue(section.entries) {
                    FlagsLoader(
                        DeclaredFlags.self,
                        description: FlagMetadata(name: section.title, description: section.description),
                        // The file is on a developer's disk, and its deployment environment is not known.
                        providers: ProviderChain([file]).deployed(
                            in: DeploymentEnvironment(name: "file", isProduction: false)),
                        issueReporter: .silent)
                }
            }
            var configuration = FlagsBrowserConfiguration(title: title, access: access)
            configuration.showsInternalFlags = true
            return FlagsBrowser(roots: roots.map(\.root), configuration: configuration)
        }

        /// Makes a new browser if the file contains flags that the current one does not have.
        private func follow() {
            guard manifest == nil else { return }
            var flags = file.flags
            let types = file.statesTypes ? flags.types : [:]
            current.withLock { current in
                current.types = types
                flags.keep(current.flags)
                guard flags.signature != current.flags.signature else { return }
                let browser = Self.browser(of: flags, file: file, title: title, access: access)
                current.revision += current.browser.snapshot().revision + 1
                current.flags = flags
                current.browser = browser
            }
        }

        private var state: (browser: FlagsBrowser, revision: Int) { current.withLock { ($0.browser, $0.revision) } }

        // MARK: The backend

        func snapshot() async throws(FlagsBrowserError) -> FlagsBrowserSnapshot {
            follow()
            let (browser, revision) = state
            var snapshot = browser.snapshot()
            snapshot.environment = ""
            snapshot.revision += revision
            snapshot.flags = snapshot.flags.map(adapted)
            return snapshot
        }

        func flag(id: String) async throws(FlagsBrowserError) -> FlagsBrowserFlag {
            adapted(try state.browser.flag(id: id))
        }

        func reasons(for question: FlagsBrowserQuestion) async throws(FlagsBrowserError) -> FlagsBrowserReasons {
            try await state.browser.reasons(for: question)
        }

        func preview(_ command: FlagsBrowserCommand) async throws(FlagsBrowserError) -> FlagsBrowserPreview {
            try check(command, isPreview: true)
            return try state.browser.preview(command)
        }

        func perform(_ command: FlagsBrowserCommand) async throws(FlagsBrowserError) -> FlagsBrowserReply {
            try check(command)
            let (browser, revision) = state
            var reply = try await browser.perform(command)
            reply.revision += revision
            return reply
        }

        func updates() -> AsyncStream<FlagsBrowserUpdate> {
            let (stream, continuation) = AsyncStream.makeStream(
                of: FlagsBrowserUpdate.self, bufferingPolicy: .bufferingNewest(1))
            // A file that becomes unusable changes no value, so the provider announces nothing.
            let watcher = FileWatcher(path: file.path, usesEvents: true, interval: .seconds(1)) {
                [weak self] in
                guard let self, noticeStatus() else { return }
                continuation.yield(.changed(revision: revision))
            }
            watcher.start()
            let task = Task { [self] in
                defer { withExtendedLifetime(watcher) {} }
                continuation.yield(.changed(revision: revision))
                for await _ in notices {
                    follow()
                    continuation.yield(.changed(revision: revision))
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
            return stream
        }

        /// - Returns: Whether the file has become unusable, or usable again.
        private func noticeStatus() -> Bool {
            try? file.reload()
            var isBroken = false
            if case .failed = file.status { isBroken = true }
            return current.withLock { [isBroken] current in
                guard current.isBroken != isBroken else { return false }
                current.isBroken = isBroken
                current.revision += 1
                return true
            }
        }

        private var revision: Int {
            let (browser, base) = state
            return browser.snapshot().revision + base
        }

        // MARK: Types from the manifest

        /// Returns a flag with the control that fits its type in the app.
        private func adapted(_ flag: FlagsBrowserFlag) -> FlagsBrowserFlag {
            var flag = flag
            // There is only one provider, so this distinction has no meaning.
            flag.isOverridden = false
            guard let type = current.withLock({ $0.types[flag.key] }) else {
                flag.isOptional = false
                flag.isChangedFromDefault = false
                flag.type = flag.control.kind.rawValue
                return flag
            }
            flag.isOptional = type.isOptional
            flag.type = type.name.isEmpty ? type.kind.rawValue : type.name
            if let cases = type.cases {
                flag.control = .choice(
                    cases.map { value in
                        let shown = FlagsBrowserValue(value)
                        return FlagsBrowserOption(label: shown.input ?? shown.text, value: shown)
                    })
            } else if let range = type.range {
                flag.control = .integer(minimum: range.lowerBound, maximum: range.upperBound)
            }
            return flag
        }

        /// Throws for a value that the flag's type in the app would refuse.
        private func check(_ command: FlagsBrowserCommand, isPreview: Bool = false) throws(FlagsBrowserError) {
            guard case .set(let id, let input, _) = command, let flag = state.browser.snapshot().flag(id: id),
                let type = current.withLock({ $0.types[flag.key] }),
                type.cases != nil || type.range != nil || type.element != nil || type.bounds != nil
            else { return }
            let value: EncodedFlagValue
            switch input {
            case .value(let given): value = given
            case .text(let text) where type.element != nil:
                // The browser itself refuses text that is not JSON, and reports the place.
                guard let read = try? FlagJSONReader().read(text) else { return }
                value = read
            case .text(let text): value = .unparsed(text.trimmingCharacters(in: .whitespaces))
            }
            do throws(FlagValueError) {
                _ = try type.normalized(value)
            } catch {
                throw FlagsBrowserError(
                    .invalidValue,
                    FlagsBrowserError.message(
                        of: error.reason(for: adapted(flag).control), key: flag.key, isPreview: isPreview), flag: id,
                    key: flag.key)
            }
        }
    }
#endif
