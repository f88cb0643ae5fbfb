import Synchronization
import TacklineCore
import TacklineFiles

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// Foundation: files are named by `URL`, and `ProcessInfo` keeps the process running.

/// A file with values, and its contents in memory.
///
/// Lock order: ``contents``, then the lock of the file, then ``pending``, then the store's. ``failures`` is taken last and
/// only briefly, so that reading the status never waits for a write.
final class LocalFile: Sendable {
    /// A change of the values. Making it again has no further effect.
    typealias Change = @Sendable (inout FlagDocument) throws(FlagError) -> Void

    /// The system functions that a file uses, which tests replace.
    struct System: Sendable {
        /// The function that keeps the process from being suspended, or `nil` if nothing suspends it.
        var suspension: ExpiringWork.System?
        /// Whether files are encrypted with a key that is unavailable while the device is locked.
        var protectsFiles: Bool
        var timer = FileWatcher.systemTimer

        /// The functions of this process.
        #if canImport(Darwin) && !os(macOS)
            static let current = System(
                suspension: { ProcessInfo.processInfo.performExpiringActivity(withReason: $0, using: $1) },
                protectsFiles: true)
        #else
            static let current = System(suspension: nil, protectsFiles: false)
        #endif
    }

    /// The settings of a file.
    struct Options: Sendable {
        var changeDetection = LocalProvider.ChangeDetection.automatic
        var writeDelay: Duration?
        /// Whether a missing file is a failure.
        var mustExist = false
        var maximumBytes = 16 << 20
        /// The longest time to wait while other processes write the same file.
        var lockTimeLimit = Duration.seconds(5)
    }

    struct Pending {
        /// Changes in memory that are not in the file yet.
        var changes: [Change] = []
        var isScheduled = false

        func apply(to document: inout FlagDocument) {
            // Each was accepted once. It may be refused now because of what another process has written.
            for change in changes { try? change(&document) }
        }
    }

    struct Failures {
        /// The reason why the last reading failed.
        var reading: LocalFileFailure?
        /// The reason why deferred changes could not be written the last time.
        var writing: FlagError?
        /// Whether a timer waits to read a protected file again.
        var isRetrying = false
    }

    /// The values of a format that holds values; empty with other formats. Its observers are those of the file.
    let values: FlagProviderStore
    /// The source of the answers: ``values``, or the store of another format.
    let store: any FlagDocumentStore
    let name: String
    let format: FlagDocumentFormat
    let isFileURL: Bool
    let file: StoredFile
    let options: Options
    let system: System
    /// The reporter of errors that have no caller, such as an unreadable file.
    private let reporter = FlagIssueReporter.current
    /// The contents of the file when memory last matched it. The lock is held during a whole write.
    let contents: Mutex<LocalFileContents>
    let pending = Mutex(Pending())
    let failures: Mutex<Failures>
    private let observers = Mutex<(FileWatcher?, FlagAppLifecycle?)>((nil, nil))

    /// Creates the file and reads it for the first time.
    ///
    /// - Parameter reading: Reads the bytes of the file. Tests replace it.
    init(
        name: String, url: URL, format: FlagDocumentFormat, options: Options = Options(), system: System = .current,
        reading: (@Sendable (_ path: String, _ limit: Int) throws(FileFailure) -> [UInt8]?)? = nil
    ) {
        self.name = name
        self.format = format
        self.options = options
        self.system = system
        isFileURL = url.isFileURL
        let path = url.isFileURL ? url.absoluteURL.path(percentEncoded: false) : url.absoluteString
        var file = StoredFile(path, maximumBytes: options.maximumBytes, timeLimit: options.lockTimeLimit)
        if let reading { file.reading = reading }
        self.file = file
        // The store is created with the values, because it has no observers yet.
        var first = LocalFileContents(path: path)
        var failures = Failures()
        do throws(LocalFileFailure) {
            if format.holdsValues {
                let bytes = try Self.read(file, isFileURL: url.isFileURL, options, system)
                _ = try first.read(bytes, as: format, limit: options.maximumBytes)
            }
        } catch {
            failures.reading = error
        }
        values = FlagProviderStore(first.document)
        store = format.holdsValues ? values : format.makeStore(providerName: name)
        contents = Mutex(first)
        self.failures = Mutex(failures)
        if format.holdsValues { reportReading() } else { try? reload() }
    }

    deinit { try? flush() }

    /// Starts to watch the file and the app's lifecycle.
    func watch() {
        let lifecycle = FlagAppLifecycle { [weak self] signal in self?.receive(signal) }
        var interval: Duration?
        if case .polling(let every) = options.changeDetection { interval = every }
        let watcher =
            options.changeDetection == .off || !isFileURL
            ? nil
            : FileWatcher(path: file.path, interval: interval, timer: system.timer) { [weak self] in
                self?.noticeChange()
            }
        observers.withLock { $0 = (watcher, lifecycle) }
        watcher?.start()
        if isProtected { readLater() }
    }

    // MARK: Reading

    /// The result of the last reading, and of the last write without a caller.
    var status: FlagProviderStatus {
        failures.withLock { $0.reading.map(readingError) ?? $0.writing }.map { .failed($0) } ?? .ready
    }

    /// Reads the file and notifies observers of values that differ from memory.
    ///
    /// - Throws: ``FlagError`` if it could not be read. Memory is unchanged, and the status has the same error.
    func reload() throws(FlagError) {
        defer { reportReading() }
        try readAgain()
    }

    private func readAgain() throws(FlagError) {
        // Runs after all locks are released.
        defer { store.reportIssues() }
        do throws(LocalFileFailure) {
            try contents.withLock { contents throws(LocalFileFailure) in try load(read, into: &contents) }
        } catch {
            throw readingError(error)
        }
    }

    func read() throws(LocalFileFailure) -> [UInt8]? { try Self.read(file, isFileURL: isFileURL, options, system) }

    private static func read(
        _ file: StoredFile, isFileURL: Bool, _ options: Options, _ system: System
    ) throws(LocalFileFailure) -> [UInt8]? {
        guard isFileURL else { throw .notAFile }
        do throws(FileFailure) {
            if let bytes = try file.bytes() { return bytes }
        } catch {
            throw LocalFileFailure(error, whereFilesAreProtected: system.protectsFiles)
        }
        guard options.mustExist else { return nil }
        throw LocalFileFailure(
            .inputOutput, "there is no such file",
            "Check the path, and that the file is shipped with the program: in an app, copied into its bundle")
    }

    /// Puts the file in force, if it has changed. Call it while holding the lock of ``contents``.
    func load(
        _ read: () throws(LocalFileFailure) -> [UInt8]?, into contents: inout LocalFileContents
    ) throws(LocalFileFailure) {
        do throws(LocalFileFailure) {
            let bytes = try read()
            guard contents.differs(from: bytes) else { return clearReadingFailure() }
            let former = contents
            let json = try contents.read(bytes, as: format, limit: options.maximumBytes)
            guard format.holdsValues else {
                defer { contents.document = FlagDocument() }
                do throws(FlagError) {
                    let prepared = try bytes.map { _ throws(FlagError) in
                        try store.prepare(contents.document, json: json)
                    }
                    clearReadingFailure()
                    if let prepared { prepared.activate() } else { store.clear() }
                } catch {
                    contents = former
                    throw LocalFileFailure(
                        .unreadable, "it is not a document in the format \(format.name): \(error.reason)")
                }
                return
            }
            clearReadingFailure()
            // Changes that are not in the file yet remain in force, and are made after those of other writers.
            pending.withLock { pending in
                var document = contents.merged(memory: values.document, former: former.document)
                pending.apply(to: &document)
                values.replaceDocument(with: document)
            }
        } catch {
            failures.withLock { $0.reading = error }
            if error.code == .notPermitted { readLater() }
            throw error
        }
    }

    /// Call it before observers are notified, because they may read the status.
    private func clearReadingFailure() { failures.withLock { $0.reading = nil } }

    /// Reads a protected file again after a second, because extensions get no notification when the device is unlocked.
    private func readLater() {
        let isWaiting = failures.withLock { failures in
            defer { failures.isRetrying = true }
            return failures.isRetrying
        }
        guard !isWaiting else { return }
        system.timer(.seconds(1)) { [weak self] in
            self?.failures.withLock { $0.isRetrying = false }
            // A failure is kept in the status.
            if self?.isProtected == true { try? self?.reload() }
        }
    }

    var isProtected: Bool { failures.withLock { $0.reading?.code == .notPermitted } }

    /// Reads the file after a possible change. A failure is reported at the second look, because editors may empty a file
    /// first.
    private func noticeChange() {
        let former = failures.withLock { $0.reading?.cause }
        try? readAgain()
        let present = failures.withLock { $0.reading?.cause }
        if present == nil || present == former { reportReading() }
    }

    /// Reports that the file can't be read, once for each failure.
    private func reportReading() {
        if let failure = failures.withLock({ $0.reading.map(readingError) }) {
            report(.unreadableFile, failure)
        } else {
            resolve(.unreadableFile)
        }
    }

    private func readingError(_ failure: LocalFileFailure) -> FlagError {
        failure.readingError(provider: name, path: file.path)
    }

    /// Adds an observer of changes. Its loader's reporter also receives the failure to read the file, now or later.
    func observe(_ observer: FlagProviderObserver) -> Bool {
        let notifies = store.observe(observer)
        if !format.holdsValues { values.observe(observer) }
        if let failure = failures.withLock({ $0.reading.map(readingError) }) {
            observer.report(FlagError(.unreadableFile, failure.message, provider: name))
        }
        return notifies
    }

    /// Reports an error that has no caller. Don't call it under a lock.
    func report(_ code: FlagError.Code, _ error: FlagError) {
        let issue = FlagError(code, error.message, provider: name)
        reporter.report(issue)
        values.report(issue)
    }

    /// Removes an issue whose cause is gone.
    func resolve(_ code: FlagError.Code) {
        reporter.resolve(code, provider: name)
        values.resolve(code, provider: name)
    }
}
