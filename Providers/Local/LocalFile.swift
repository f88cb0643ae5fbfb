import Synchronization
import TacklineCore
import TacklineFiles

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// Foundation: files are named by `URL`.

/// A file with values, and its contents in memory.
///
/// Lock order: ``version``, then the lock of the file, then ``pending``, then the store's. ``failures`` and
/// ``schedule`` are taken last and only briefly, so that reading the status never waits for a write.
final class LocalFile: Sendable {
    struct Failures {
        /// The reason why the last reading failed.
        var reading: LocalFileFailure?
        /// The reason why gathered changes could not be written the last time.
        var writing: FlagError?
    }

    /// The values of a format that holds values; empty with other formats. Its observers are those of the file.
    let store: FlagProviderStore
    /// The source of the answers: ``store``, or the store of another format.
    let contents: any FlagDocumentStore
    let name: String
    let format: FlagDocumentFormat
    /// The path as it was given. It may be a symbolic link.
    let path: String
    let options: LocalProvider.Options
    /// Whether a missing file is a failure.
    private let mustExist: Bool
    let surroundings: LocalSurroundings
    /// The reporter of errors that have no caller, such as an unreadable file.
    private let reporter = FlagIssueReporter.current
    let absence = Mutex(LocalFileAbsence())
    /// Whether the URL is a file URL.
    let isFile: Bool
    private let watcher = Mutex<FileWatcher?>(nil)
    private let lifecycle = Mutex<FlagAppLifecycle?>(nil)
    /// The schedule. Its lock is taken last, and only briefly.
    let schedule = Mutex(LocalFileSchedule())

    /// The contents of the file when memory last matched it. The lock is held during a whole write.
    let version: Mutex<LocalFileVersion>
    /// Changes in memory that are not in the file yet.
    let pending = Mutex(PendingLocalChanges())
    let failures: Mutex<Failures>

    /// Creates the file and reads it for the first time.
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
            // The store is created with the values, because it has no observers yet.
            store = FlagProviderStore(first.document)
            contents = store
        } else {
            store = FlagProviderStore()
            contents = format.makeStore(providerName: name)
            if first.bytes != nil {
                do throws(FlagError) {
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
        // No one is left to receive an error.
        try? flush()
    }

    /// Starts to watch the file and the app's lifecycle.
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
        let watcher = FileWatcher(path: path, usesEvents: usesEvents, interval: interval) { [weak self] in
            self?.noticeChange()
        }
        self.watcher.withLock { $0 = watcher }
        watcher.start()
        // The file may have changed since it was first read. Usually this only compares bytes.
        try? reload()
    }

    /// The result of the last reading, and of the last write without a caller.
    var status: FlagProviderStatus {
        failures.withLock { failures in
            failures.reading?.readingError(provider: name, path: path) ?? failures.writing
        }.map { .failed($0) } ?? .ready
    }

    /// Reads the file and notifies observers of values that differ from memory.
    ///
    /// - Throws: ``FlagError`` if it could not be read. Memory is unchanged, and the status has the same error.
    func reload() throws(FlagError) {
        defer { reportFailure() }
        try readAgain()
    }

    /// Reads the file like ``reload()``, but reports no failure.
    func readAgain() throws(FlagError) {
        // Runs after all locks are released.
        defer { contents.reportIssues() }
        try version.withLock { version throws(FlagError) in
            do throws(LocalFileFailure) {
                try load(into: &version)
            } catch {
                throw error.readingError(provider: name, path: path)
            }
        }
    }

    /// Reports that the file can't be read, once for each failure.
    func reportFailure() {
        let failure = failures.withLock { $0.reading?.readingError(provider: name, path: path) }
        if let failure {
            report(.unreadableFile, failure)
        } else {
            resolve(.unreadableFile)
        }
    }

    /// Adds an observer of changes. Its loader's reporter also receives the failure to read the file, now or later.
    func observe(_ observer: FlagProviderObserver) -> Bool {
        let notifies = contents.observe(observer)
        if !format.holdsValues { store.observe(observer) }
        if let failure = failures.withLock({ $0.reading?.readingError(provider: name, path: path) }) {
            let issue = FlagError(.unreadableFile, failure.message, provider: name)
            observer.report(issue)
        }
        return notifies
    }

    /// Reports an error that has no caller. Don't call it under a lock.
    func report(_ code: FlagError.Code, _ error: FlagError) {
        let issue = FlagError(code, error.message, provider: name)
        reporter.report(issue)
        store.report(issue)
    }

    /// Removes an issue whose cause is gone.
    func resolve(_ code: FlagError.Code) {
        reporter.resolve(code, provider: name)
        store.resolve(code, provider: name)
    }

    /// Reads the file while holding the lock of ``version``.
    ///
    /// - Parameter target: The path of the file itself, or `nil` for the file that the path leads to now.
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
            // Cleared before observers are notified, because they may read the status.
            failures.withLock { $0.reading = nil }
            // Changes that are not in the file yet remain in force, and are applied after those of other writers.
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

    /// Updates the watched path and the schedule after a reading. The effects happen later, so it may be called under
    /// locks.
    private func noteReading() {
        watcher.withLock { $0 }?.follow()
        let isProtected = failures.withLock { failures in
            if case .file(.notPermitted) = failures.reading { true } else { false }
        }
        handle(.read(isProtected: isProtected))
    }

    /// Passes the contents of a file to the store of its format. A missing file has no values.
    private func putInForce(_ present: LocalFileVersion) throws(LocalFileFailure) {
        guard present.bytes != nil else {
            failures.withLock { $0.reading = nil }
            contents.clear()
            return
        }
        do throws(FlagError) {
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
        let bytes = try LocalFileFailure.during(whereFilesAreProtected: surroundings.protectsFiles) {
            () throws(FileFailure) in try surroundings.read(path, limit)
        }
        if mustExist, bytes == nil { throw .absent }
        return bytes
    }
}
