import Synchronization
public import TacklineCore
import TacklineFiles

public import TacklineFoundation

/// A provider that stores its values in a file, where they survive the process, a crash and a loss of power.
///
/// ```swift
/// let overrides = LocalProvider(file: directory.appending(path: "overrides.json"))
/// ```
///
/// The extension determines the format: `.plist` and `.xml` are property lists, which may also be binary; anything else
/// is JSON. The file may come from elsewhere and be flat or nested, and keys that no flag uses are kept when it is
/// written. A missing file has no values, and the first write creates it with its folder. A file may have up to 16 MiB.
/// With another document format, such as `.flagd` for definitions with rules, writes throw; use a ``ReadOnlyLocalProvider``
/// then, because a value that is set without naming a provider goes to the first writable provider.
///
/// A write returns when the new file is on the disk, and takes as long as the disk does. Reads never wait for it, and
/// neither do bindings in views. **tvOS doesn't keep files**: it may remove them whenever the app isn't running. You can
/// call the provider from any thread, and several processes may share a file: each write keeps what others wrote to other
/// keys.
///
/// An existing file that can't be read, or isn't valid in its format, is neither used nor overwritten: ``status``
/// describes the problem, and writes throw the same error.
public final class LocalProvider: WritableFlagProvider, FlagReasoningProvider {
    /// The way in which a provider detects that somebody else has changed its file.
    public enum ChangeDetection: Sendable, Hashable {
        /// Compares the file once a second, or on Apple's systems at each event of the file and its folder.
        ///
        /// The file is the one to which the path leads at that moment, through every symbolic link. Its values stay in
        /// force until it has been missing for a second. On Apple's systems there is no event if a link or a folder higher
        /// up leads elsewhere, and none from other machines on a network disk: poll there.
        case automatic
        /// Compares the file at an interval, at least 10 milliseconds.
        case polling(every: Duration)
        /// Detects changes only at writes and in ``LocalProvider/reload()``.
        case off
    }

    /// The provider's name in messages and explanations, and its id in a chain.
    public let name: String
    /// The location of the file, as passed to the initializer.
    public let file: URL

    /// The source of the answers: ``values``, or the store of another format.
    let store: any FlagDocumentStore
    /// The values of a format that holds values; empty with other formats. Its observers are those of the provider.
    let values: FlagProviderStore
    let writeDelay: Duration?
    let settings: Settings
    let stored: StoredFile
    /// The reporter of errors that have no caller, such as an unreadable file.
    let reporter = FlagIssueReporter.current
    /// The contents of the file when memory last matched it.
    ///
    /// The lock is held during a whole write. After it, those of the file, of ``pending`` and of the store are taken, in this
    /// order. That of ``failures`` is taken last and only briefly, so that reading the status never waits for a write.
    let contents: Mutex<LocalFileContents>
    /// Changes in memory that are not in the file yet.
    let pending = Mutex<[Change]>([])
    let isScheduled = Atomic(false)
    let failures: Mutex<Failures>
    private let observers = Mutex<(FileWatcher?, FlagAppLifecycle?)>((nil, nil))

    /// A change of the values. Making it again has no further effect.
    typealias Change = @Sendable (inout FlagDocument) throws(FlagError) -> Void

    struct Failures {
        /// The reason why the last reading failed.
        var reading: LocalFileFailure?
        /// The reason why deferred changes could not be written the last time.
        var writing: FlagError?
    }

    /// The settings that only tests and other modules of the package change.
    package struct Settings: Sendable {
        /// The longest time to wait while other processes write the same file.
        var lockTimeLimit: Duration
        /// The format of the document. One that doesn't hold values is never written.
        var format = FlagDocumentFormat.values
        /// Whether a missing file is a failure.
        var mustExist = false
        /// The function that keeps the process from being suspended, or `nil` if nothing suspends it.
        var suspension: ExpiringWork.System?
        var timer = FileWatcher.systemTimer
        var reading: StoredFile.Reading = StoredFile.bytes(of:limit:)

        package init(lockTimeLimit: Duration = .seconds(5)) {
            self.lockTimeLimit = lockTimeLimit
            #if canImport(Darwin) && !os(macOS)
                suspension = { ProcessInfo.processInfo.performExpiringActivity(withReason: $0, using: $1) }
            #endif
        }
    }

    /// Creates a provider and reads the file, if there is one.
    ///
    /// Reading takes about 0.1 ms for a small file and some milliseconds for 10,000 values. Any failure appears in
    /// ``status``.
    ///
    /// - Parameters:
    ///   - file: The file. It may be a symbolic link, which is kept. A new file has the permissions that the process's umask
    ///     leaves.
    ///   - name: The provider's name in messages and explanations, and its id in a chain.
    ///   - format: The format of the document in the file.
    ///   - changeDetection: The way in which changes by others are detected.
    ///   - writeDelay: The time during which changes are gathered before the file is written, or `nil` to write
    ///     immediately. With a delay, even of zero, setting a value only changes memory and never waits, which suits user
    ///     interfaces. The file is written after the delay, by ``flush()``, and on Apple platforms when the app goes to the
    ///     background. Until then, a crash loses the value. If writing fails, the value stays in memory, the error is
    ///     reported and appears in the status, and the next write or `flush()` tries again.
    public convenience init(
        file: URL, name: String = "LocalProvider", format: FlagDocumentFormat = .values,
        changeDetection: ChangeDetection = .automatic, writeDelay: Duration? = nil
    ) {
        var settings = Settings()
        settings.format = format
        self.init(
            file: file, name: name, changeDetection: changeDetection, writeDelay: writeDelay, settings: settings)
    }

    /// Creates a provider with settings of your own.
    package init(
        file: URL, name: String = "LocalProvider", changeDetection: ChangeDetection = .automatic,
        writeDelay: Duration? = nil, settings: Settings
    ) {
        (self.file, self.name, self.writeDelay, self.settings) = (file, name, writeDelay, settings)
        let format = settings.format
        let path = file.isFileURL ? file.absoluteURL.path(percentEncoded: false) : file.absoluteString
        stored = StoredFile(
            path, maximumBytes: 16 << 20, timeLimit: settings.lockTimeLimit, reading: settings.reading)
        // The store is created with the values, because it has no observers yet.
        var first = LocalFileContents(path: path)
        var (document, failures) = (FlagDocument(), Failures())
        do {
            if format.holdsValues, let read = try first.read(Self.bytes(file, stored, settings), as: format) {
                document = read.document
            }
        } catch {
            (first, failures.reading) = (LocalFileContents(path: path), LocalFileFailure(error))
        }
        values = FlagProviderStore(document)
        store = format.holdsValues ? values : format.makeStore(providerName: name)
        contents = Mutex(first)
        self.failures = Mutex(failures)
        if format.holdsValues { report(.unreadableFile, readingError) } else { try? reload() }
        let lifecycle = FlagAppLifecycle { [weak self] signal in self?.receive(signal) }
        var watcher: FileWatcher?
        if changeDetection != .off, file.isFileURL {
            var interval: Duration?
            if case .polling(let every) = changeDetection { interval = every }
            watcher = FileWatcher(path: path, interval: interval, timer: settings.timer) { [weak self] in
                self?.noticeChange() ?? false
            }
        }
        observers.withLock { $0 = (watcher, lifecycle) }
    }

    deinit { try? flush() }

    /// All current values.
    public var document: FlagDocument? { store.document }

    /// The traits of the provider. Its values depend on the task if the rules of the document do.
    public var traits: FlagProviderTraits { store.isTaskDependent ? .taskDependent : [] }

    /// Ready, or failed with the file, the line and the column if the last reading failed.
    ///
    /// It has also failed if changes that were deferred or gathered could not be written.
    public var status: FlagProviderStatus {
        (readingError ?? failures.withLock { $0.writing }).map { .failed($0) } ?? .ready
    }

    /// Returns the value in memory, or `nil` if there is none. The key is looked up flat and then nested. A definition
    /// with rules is evaluated.
    public func value(for key: FlagKeyPath) -> EncodedFlagValue? { store.value(for: key) }

    /// Returns the value with its variant, reason and metadata, if the document format has them.
    public func evaluation(for key: FlagKeyPath) -> FlagEvaluation { store.evaluation(for: key) }

    /// Returns how the rules of a document arrive at a value, or `nil` if there are no rules for the key.
    package func reasoning(for key: FlagKeyPath) -> FlagReasoning? { store.reasoning(for: key) }

    /// Adds an observer, which is notified of values that are set here and of changes by others to the file.
    public func observe(_ observer: FlagProviderObserver) -> Bool {
        let notifies = store.observe(observer)
        if !settings.format.holdsValues { values.observe(observer) }
        if let failure = readingError {
            observer.report(FlagError(.unreadableFile, failure.message, provider: name))
        }
        return notifies
    }

    /// Sets the value, or removes it if it is `nil`, and returns when the file is on the disk.
    ///
    /// - Throws: ``/TacklineCore/FlagError`` with the file and the cause if the value could not be stored;
    ///   always if the document format can't be written. Nothing has changed then, in memory or in the file. The
    ///   exception is a failure of the disk in the last step, when the new file is already in place: the new values are
    ///   then read from it like changes by others.
    public func setValue(_ value: EncodedFlagValue?, for key: FlagKeyPath) throws(FlagError) {
        try setValues([key: value])
    }

    /// Sets several values in one write of the file, and removes those that are `nil`.
    ///
    /// Readers, other processes and a crash see either all of the changes or none.
    ///
    /// - Returns: The values that differ now.
    /// - Throws: ``/TacklineCore/FlagError`` if the values could not be stored. Nothing has changed then.
    @discardableResult
    public func setValues(_ values: [FlagKeyPath: EncodedFlagValue?]) throws(FlagError) -> [FlagProviderChange] {
        let only = values.count == 1 ? values.first : nil
        return try change(only?.key, only?.value) { document in
            for (key, value) in values { document.setValue(value, for: key) }
        }
    }

    /// Changes the value of a key in the file, while other processes that write it wait.
    ///
    /// A deferred change is made at once in memory, and again in the file when it is written. So it keeps what other
    /// processes have written to the value meanwhile.
    ///
    /// - Parameter change: Returns the new value for the old one. It is called several times. Don't use the provider in it,
    ///   and don't set the key in other ways.
    package func update(
        _ key: FlagKeyPath,
        _ change: @escaping @Sendable (EncodedFlagValue?) throws(FlagError) -> EncodedFlagValue?
    ) throws(FlagError) {
        try self.change { document throws(FlagError) in
            document.setValue(try change(document.value(for: key)), for: key)
        }
    }

    /// Removes every value from the file, including those that no flag uses.
    ///
    /// The file itself stays, because it keeps its permissions, and because a missing file could also be a lost one.
    ///
    /// - Throws: ``/TacklineCore/FlagError`` if the file could not be written. Nothing has changed then.
    public func resetAllData() throws(FlagError) { try change { $0 = FlagDocument() } }

    /// Writes the changes that were gathered because of a delay or a deferred write. Otherwise it does nothing.
    ///
    /// Call it before the process ends. Remaining changes are also written when the provider is deallocated, and on
    /// Apple platforms when the app goes to the background.
    ///
    /// - Throws: ``/TacklineCore/FlagError`` if the file could not be written. The values stay in memory, and
    ///   the next write or `flush()` tries again.
    public func flush() throws(FlagError) {
        do { _ = try write(nil) } catch {
            let error = writingError(error)
            failures.withLock { $0.writing = error }
            throw error
        }
    }

    /// Reads the file and notifies observers of changes.
    ///
    /// Call it when a file has become readable. A protected file is read automatically after the device is unlocked; in an
    /// app extension, only if changes are detected.
    ///
    /// - Throws: ``/TacklineCore/FlagError`` if it can't be read. The present values stay in force.
    public func reload() throws(FlagError) {
        readAgain()
        let error = readingError
        report(.unreadableFile, error)
        if let error { throw error }
    }
}
