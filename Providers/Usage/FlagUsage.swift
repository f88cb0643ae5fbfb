public import Foundation
import Synchronization
public import TacklineCore
import TacklineFiles

/// A recorder of the days on which flags are read and of the values that they have, which finds flags that can go.
///
/// ```swift
/// let usage = FlagUsage(file: support.appending(path: "usage.json"))
/// let flags = FlagsLoader(AppFlags.self, providers: [overrides, remote], observers: [usage])
/// ```
///
/// `tackline lint --usage` names the flags that no one reads, or that have one value everywhere. A read whose value is at
/// hand costs nothing more: once in an interval each value that is read is passed on again, so a process that runs for
/// weeks is recorded as well. Values of secret flags are left out.
///
/// The file is written a minute after the start, once in each interval, when the app goes to the background, when the
/// process exits, and when the object is deallocated. Several processes may share it. Its size is bounded. One that is
/// damaged is kept aside and reported. Call the methods from any thread.
public final class FlagUsage: FlagResolutionObserver {
    /// The time after which a flag that is read is noticed again.
    public let repeatInterval: Duration?
    private let file: StoredFile
    private let maximumFlags: Int
    private let now: @Sendable () -> Date
    private let issueReporter: FlagIssueReporter
    /// The usage that is not in the file yet.
    private let unsaved = Mutex(Record())
    private let signals = Mutex<(timer: Task<Void, Never>, lifecycle: FlagAppLifecycle, exit: ProcessExit)?>(nil)

    /// The longest time to wait for other processes that write the file, which tests lengthen.
    @TaskLocal package static var lockTimeLimit = Duration.seconds(2)

    /// Begins to record.
    ///
    /// - Parameters:
    ///   - file: The file, which is created if necessary, for this user only. Don't use a folder for caches.
    ///   - maximumFlags: The maximum number of flags in the file. Those that were not read for the longest time make room.
    ///   - interval: The time between two writes, and after which a flag that is read is noticed again.
    ///   - clock: The clock that measures the interval.
    ///   - now: Returns the time, whose day in UTC is recorded.
    ///   - issueReporter: The destination of issues: a file that is damaged or can't be written.
    public init(
        file: URL, maximumFlags: Int = 2000, interval: Duration = .seconds(3600),
        clock: any Clock<Duration> = ContinuousClock(), now: @escaping @Sendable () -> Date = { Date() },
        issueReporter: FlagIssueReporter = .current
    ) {
        // More than a record with the default number of flags can take.
        self.file = StoredFile(
            file.path(percentEncoded: false), maximumBytes: 16 << 20, permissions: 0o600, timeLimit: Self.lockTimeLimit)
        self.maximumFlags = max(1, maximumFlags)
        repeatInterval = interval
        self.now = now
        self.issueReporter = issueReporter
        let lifecycle = FlagAppLifecycle { [weak self] signal in
            if signal == .didEnterBackground || signal == .willTerminate { self?.saveOrReport() }
        }
        let exit = ProcessExit { [weak self] in self?.saveOrReport() }
        cover()
        let timer = Task.detached { [weak self] in
            var pause = min(interval, .seconds(60))
            while (try? await clock.sleep(for: pause)) != nil, let self {
                self.cover()
                self.saveOrReport()
                pause = interval
            }
        }
        signals.withLock { $0 = (timer, lifecycle, exit) }
    }

    deinit {
        signals.withLock { $0 }?.timer.cancel()
        saveOrReport()
    }

    // MARK: Recording

    /// Records the read and its value.
    public func flagWasResolved(_ flag: FlagResolution<EncodedFlagValue>) {
        let value = flag.metadata.isSecret ? nil : Record.text(of: flag.value)
        let day = Record.day(of: now())
        unsaved.withLock { unsaved in
            guard unsaved.flags.count < maximumFlags || unsaved.flags[flag.key.text] != nil else {
                unsaved.hasMoreFlags = true
                return
            }
            unsaved.read(flag.key.text, value: value, on: day)
        }
    }

    /// Records the present day, on which flags that no one reads count as unread.
    private func cover() {
        let day = Record.day(of: now())
        unsaved.withLock { $0.cover(day) }
    }

    // MARK: The file

    /// Returns the usage so far: that in the file and that which is not written yet.
    ///
    /// - Throws: ``/TacklineCore/FlagError`` if the file can't be read.
    public func record() throws(FlagError) -> Record {
        var record = Record()
        do {
            if let bytes = try file.bytes() { record = try Record(json: Data(bytes)) }
        } catch {
            throw failure(error)
        }
        record.append(unsaved.withLock { $0 })
        return record
    }

    /// Writes the usage to the file, which is replaced in one step.
    ///
    /// A file that is damaged is kept aside and reported. The call waits for other processes that write, for two seconds at
    /// most.
    ///
    /// - Throws: ``/TacklineCore/FlagError`` if the file can't be written. The next call writes what is missing.
    public func save() throws(FlagError) {
        let new = unsaved.withLock { unsaved in
            defer { unsaved = Record() }
            return unsaved
        }
        guard new != Record() else { return }
        do {
            try add(new)
            issueReporter.resolve(.unwrittenUsage)
        } catch {
            unsaved.withLock { unsaved in
                var all = new
                all.append(unsaved)
                all.limitFlags(to: maximumFlags)
                unsaved = all
            }
            throw failure(error)
        }
    }

    /// Adds usage to the file, while other writers wait.
    private func add(_ new: Record) throws {
        var aside: String?
        try file.rewrite { bytes in
            var record = Record()
            do {
                if let bytes { record = try Record(json: Data(bytes)) }
            } catch let error as FlagError where error.code == .invalidDocument {
                if aside == nil { aside = try keepAside(bytes ?? []) }
            }
            record.append(new)
            record.limitFlags(to: maximumFlags)
            return Array(try record.json())
        }
        guard let aside else { return }
        let message = """
            The record of the usage of flags in \(file.path) was damaged, so a new one was begun. The damaged one is \
            \(aside). Merge what can be saved of it by hand, or remove it.
            """
        issueReporter.report(FlagError(.damagedUsage, message))
    }

    /// Keeps the contents of a damaged file, and returns the path.
    private func keepAside(_ bytes: [UInt8]) throws -> String {
        var copy = file
        copy.path = "\(file.path).damaged-\(UInt64.random(in: .min ... .max))"
        try copy.rewrite { _ in bytes }
        return copy.path
    }

    private func failure(_ error: any Error) -> FlagError {
        let cause = (error as? FlagError)?.reason ?? "\(error)"
        return FlagError(
            .inputOutput, provider: "FlagUsage", reason: "the usage of flags can't be kept in \(file.path): \(cause)",
            advice: "Give it a file that it alone can write")
    }

    private func saveOrReport() {
        do throws(FlagError) {
            try save()
        } catch {
            issueReporter.report(FlagError(.unwrittenUsage, error.message))
        }
    }
}

extension FlagError.Code {
    /// A record of the usage of flags that can't be written.
    public static let unwrittenUsage = FlagError.Code("usage-unwritten")
    /// A record of the usage of flags that was damaged and is kept aside.
    public static let damagedUsage = FlagError.Code("usage-damaged")
    /// A record of the usage of flags that a newer version of Tackline has written.
    public static let newerUsage = FlagError.Code("usage-newer")
}
