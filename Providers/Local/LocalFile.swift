import Synchronization
import TacklineCore
import TacklineFormats

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// Foundation: `URL` is how files are named.

/// A file with values, and what of it is in memory.
///
/// Lock order: ``version``, then the lock of the file, then ``pending``, then the store's. ``failures`` and ``schedule``
/// are taken last and briefly, so that asking for the status waits for no write.
final class LocalFile: Sendable {
    struct Failures {
        /// Why the file could not be read the last time.
        var reading: LocalFileFailure?
        /// Why gathered writes could not be written the last time.
        var writing: FlagProviderError?
    }

    /// The values, for a format that holds values. Otherwise nobody uses it.
    let store: FlagProviderStore
    /// What answers: ``store``, or for another format what understands it.
    let contents: any FlagDocumentStore
    let name: String
    let format: FlagDocumentFormat
    /// As it was given; it may be a symbolic link.
    let path: String
    let options: LocalProvider.Options
    /// Whether a file that is not there is a failure.
    private let mustExist: Bool
    let surroundings: LocalSurroundings
    /// Told of what no caller is told of, such as a file that cannot be read.
    private let reporter = FlagIssueReporter.current
    /// Whose loaders are told as well.
    private let observers = Mutex<[WeakObserver]>([])
    let issues = FlagIssueLog()
    let absence = Mutex(LocalFileAbsence())
    /// Whether the address was one of a file.
    let isFile: Bool
    private let watcher = Mutex<LocalFileWatcher?>(nil)
    private let lifecycle = Mutex<FlagAppLifecycle?>(nil)
    /// Taken last, and briefly.
    let schedule = Mutex(LocalFileSchedule())

    /// What the file held when memory was last in accord with it. Held through a whole write.
    let version: Mutex<LocalFileVersion>
    /// Changes that are in memory and not yet in the file.
    let pending = Mutex(PendingLocalChanges())
    let failures: Mutex<Failures>

    /// Reads the file for the first time.
    init(
        name: String, url: URL, format: FlagDocumentFormat, options: LocalProvider.Options, mustExist: Bool = false,
        surroundings: LocalSurroundings = .current
    ) {
        self.surroundings = surroundings
        self.name = name
        self.mustExist = mustExist
        isFile = url.isFileURL
        path = url.isFileURL ? url.absoluteURL.path(percentEncoded: false) : url.absoluteString
        self.options = options
        var first = LocalFileVersion(format: LocalFileFormat(fileName: LocalPath.name(of: path)))
        var failures = Failures()
        do throws(LocalFileFailure) {
            let bytes = try LocalFile.bytes(
                of: path, isFile: isFile, mustExist: mustExist, limit: options.maximumBytes, surroundings)
            first = try LocalFileVersion(
                of: bytes, format: first.format, as: format, limit: options.maximumBytes)
        } catch {
            failures.reading = error
        }
        if format.holdsValues {
            // Made with the values, since nobody is there yet to be told what differs.
            store = FlagProviderStore(first.document)
            contents = store
        } else {
            store = FlagProviderStore()
            contents = format.makeStore(providerName: name)
            if first.bytes != nil {
                do throws(FlagDocumentError) {
                    try contents.prepare(first.document, json: first.json).activate()
                } catch {
                    failures.reading = .document(error.reason, format: format.name)
                    first = LocalFileVersion(format: first.format)
                }
            }
        }
        self.format = format
        version = Mutex(first)
        self.failures = Mutex(failures)
        contents.reportIssues()
        reportFailure()
    }

    deinit {
        // Nobody is left to be told.
        try? flush()
    }

    /// Watches the file from now on, and the life of the app.
    func watch() {
        let lifecycle = FlagAppLifecycle { [weak self] signal in self?.handle(.signal(signal)) }
        self.lifecycle.withLock { $0 = lifecycle }
        noteReading()
        let (usesEvents, interval): (Bool, Duration)
        switch options.changeDetection {
        case .automatic: (usesEvents, interval) = (true, .seconds(1))
        case .polling(let every): (usesEvents, interval) = (false, every)
        case .off: return
        }
        guard isFile else { return }
        let watcher = LocalFileWatcher(path: path, usesEvents: usesEvents, interval: interval) { [weak self] in
            self?.noticeChange()
        }
        self.watcher.withLock { $0 = watcher }
        watcher.start()
        // What changed between the first reading and now; as a rule a comparison of bytes.
        try? reload()
    }

    /// How the last reading, and the last writing without a caller, went.
    var status: FlagProviderStatus {
        failures.withLock { failures in
            failures.reading?.readingError(provider: name, path: path) ?? failures.writing
        }.map { .failed($0) } ?? .ready
    }

    /// Reads the file and announces what differs from memory.
    ///
    /// - Throws: Why it could not be read. Memory is as before, and the status says the same.
    func reload() throws(FlagProviderError) {
        defer { reportFailure() }
        try readAgain()
    }

    /// Does what ``reload()`` does, and reports no failure.
    func readAgain() throws(FlagProviderError) {
        // When no lock is held any more.
        defer { contents.reportIssues() }
        try version.withLock { version throws(FlagProviderError) in
            do throws(LocalFileFailure) {
                try load(into: &version)
            } catch {
                throw error.readingError(provider: name, path: path)
            }
        }
    }

    /// Reports that the file cannot be read, once for each failure, as a value is reported that a flag refuses.
    func reportFailure() {
        let failure = failures.withLock { $0.reading?.readingError(provider: name, path: path) }
        if let failure {
            report(.unreadableFile, failure)
        } else {
            issues.resolve(.unreadableFile, provider: name)
        }
    }

    /// Tells an observer of changes, and its loader if the file cannot be read, now or later.
    func observe(_ observer: FlagProviderObserver) -> Bool {
        let notifies = contents.observe(observer)
        let failure = failures.withLock { $0.reading?.readingError(provider: name, path: path) }
        let others = observers.withLock { observers in
            let others = observers.compactMap(\.observer)
            observers = (others + [observer]).map { WeakObserver(observer: $0) }
            return others
        }
        // Kept until nothing is locked, since the end of an observer may run foreign code.
        withExtendedLifetime(others) {}
        if let failure {
            let issue = FlagIssue(.unreadableFile, message: "\(failure)", provider: name)
            issues.report(issue, to: [observer.issueReporter])
        }
        return notifies
    }

    /// Reports an error that no caller is told of. Nothing may be locked.
    func report(_ code: FlagIssue.Code, _ error: FlagProviderError) {
        let observers = observers.withLock { $0.compactMap(\.observer) }
        issues.report(
            FlagIssue(code, message: "\(error)", provider: name), to: [reporter] + observers.map(\.issueReporter))
    }

    /// Reads the file while holding ``version``.
    ///
    /// - Parameter target: The file itself; `nil` for what the path leads to now.
    func load(into version: inout LocalFileVersion, from target: String? = nil) throws(LocalFileFailure) {
        defer { noteReading() }
        do throws(LocalFileFailure) {
            let bytes = try LocalFile.bytes(
                of: target ?? path, isFile: isFile, mustExist: mustExist, limit: options.maximumBytes, surroundings)
            let hasFailed = failures.withLock { $0.reading != nil }
            guard hasFailed || bytes != version.bytes else { return }
            let former = version
            let present = try LocalFileVersion(
                of: bytes, format: former.format, as: format, limit: options.maximumBytes)
            guard format.holdsValues else {
                try putInForce(present)
                version = present
                return
            }
            version = present
            // Before anybody is told of a change, who may ask for the status at once.
            failures.withLock { $0.reading = nil }
            // Changes on their way to the file stay in force, and come after what others wrote.
            pending.withLock { pending in
                var document = LocalDocumentMerge.merge(
                    memory: store.document,
                    former: former.document,
                    present: version.document
                )
                pending.apply(to: &document)
                store.replaceDocument(with: document)
            }
        } catch {
            failures.withLock { $0.reading = error }
            throw error
        }
    }

    /// Has the file read again if it was protected. That happens later, so it may be called under locks.
    private func noteReading() {
        let isProtected = failures.withLock { failures in
            if case .notPermitted = failures.reading { true } else { false }
        }
        handle(.read(isProtected: isProtected))
    }

    /// Hands what a file holds to the format that understands it. A file that is not there holds nothing.
    private func putInForce(_ present: LocalFileVersion) throws(LocalFileFailure) {
        guard present.bytes != nil else {
            failures.withLock { $0.reading = nil }
            contents.clear()
            return
        }
        do throws(FlagDocumentError) {
            let prepared = try contents.prepare(present.document, json: present.json)
            failures.withLock { $0.reading = nil }
            prepared.activate()
        } catch {
            throw .document(error.reason, format: format.name)
        }
    }

    private static func bytes(
        of path: String,
        isFile: Bool,
        mustExist: Bool,
        limit: Int,
        _ surroundings: LocalSurroundings
    ) throws(LocalFileFailure) -> [UInt8]? {
        guard isFile else { throw .notAFile }
        let bytes: [UInt8]?
        do throws(LocalFileFailure) {
            bytes = try surroundings.read(path, limit)
        } catch {
            throw error.whereFilesAreProtected(surroundings.protectsFiles)
        }
        if mustExist, bytes == nil { throw .absent }
        return bytes
    }
}

/// An observer that lives as long as others want it.
private struct WeakObserver {
    weak var observer: FlagProviderObserver?
}
