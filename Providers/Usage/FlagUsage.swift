public import Foundation
import Synchronization
public import TacklineCore
import TacklineFiles

// Foundation: `URL` names the file, and `Date` is the clock of days.

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
    private struct State {
        /// The usage that is not in the file yet.
        var unsaved = FlagUsageRecord()
        var timer: Task<Void, Never>?
    }

    /// The time after which a flag that is read is noticed again.
    public let repeatInterval: Duration?
    private let file: FlagUsageFile
    private let now: @Sendable () -> Date
    private let issueReporter: FlagIssueReporter
    private let state = Mutex(State())
    private let lifecycle = Mutex<FlagAppLifecycle?>(nil)
    private let exit = Mutex<ProcessExit?>(nil)

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
        self.file = FlagUsageFile(path: file.path(percentEncoded: false), maximumFlags: max(1, maximumFlags))
        repeatInterval = interval
        self.now = now
        self.issueReporter = issueReporter
        let lifecycle = FlagAppLifecycle { [weak self] signal in
            switch signal {
            case .didEnterBackground, .willTerminate: self?.saveOrReport()
            case .willEnterForeground, .protectedDataDidBecomeAvailable: break
            }
        }
        self.lifecycle.withLock { $0 = lifecycle }
        let exit = ProcessExit { [weak self] in self?.saveOrReport() }
        self.exit.withLock { $0 = exit }
        let timer = Task.detached { [weak self] in
            var pause = min(interval, .seconds(60))
            while (try? await clock.sleep(for: pause)) != nil, let self {
                self.passInterval()
                pause = interval
            }
        }
        let day = FlagUsageRecord.Day(now())
        state.withLock { state in
            state.timer = timer
            state.unsaved.cover(day)
        }
    }

    deinit {
        state.withLock { $0.timer }?.cancel()
        saveOrReport()
    }

    // MARK: Recording

    /// Records the read and its value.
    public func flagWasResolved(_ flag: FlagResolution<EncodedFlagValue>) {
        let value = flag.metadata.isSecret ? nil : RecordedFlagValue(flag.value)
        let day = FlagUsageRecord.Day(now())
        state.withLock { state in
            guard state.unsaved.flags.count < file.maximumFlags || state.unsaved.flags[flag.key.text] != nil else {
                state.unsaved.hasMoreFlags = true
                return
            }
            state.unsaved.read(flag.key.text, value: value, on: day)
        }
    }

    /// Writes the file. Flags that no one reads count as unread on this day.
    private func passInterval() {
        let day = FlagUsageRecord.Day(now())
        state.withLock { $0.unsaved.cover(day) }
        saveOrReport()
    }

    // MARK: The file

    /// Returns the usage so far: that in the file and that which is not written yet.
    ///
    /// - Throws: ``/TacklineCore/FlagError`` if the file can't be read.
    public func record() throws(FlagError) -> FlagUsageRecord {
        var record = FlagUsageRecord()
        do {
            record = try file.read() ?? record
        } catch {
            throw failure(error)
        }
        record.append(state.withLock { $0.unsaved })
        return record
    }

    /// Writes the usage to the file, which is replaced in one step.
    ///
    /// A file that is damaged is moved aside and reported. The call waits for other processes that write, for two seconds at
    /// most.
    ///
    /// - Throws: ``/TacklineCore/FlagError`` if the file can't be written. The next call writes what is missing.
    public func save() throws(FlagError) {
        let new = state.withLock { state in
            defer { state.unsaved = FlagUsageRecord() }
            return state.unsaved
        }
        guard new != FlagUsageRecord() else { return }
        do {
            if let aside = try file.append(new) { report(damagedFileAt: aside) }
            issueReporter.resolve(.unwrittenUsage)
        } catch {
            state.withLock { state in
                var all = new
                all.append(state.unsaved)
                all.limitFlags(to: file.maximumFlags)
                state.unsaved = all
            }
            throw failure(error)
        }
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

    private func report(damagedFileAt path: String) {
        let message = """
            The record of the usage of flags in \(file.path) was damaged, so a new one was begun. The damaged one is \
            \(path). Merge what can be saved of it by hand, or remove it.
            """
        issueReporter.report(FlagError(.damagedUsage, message))
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

/// The file of a ``FlagUsage``.
struct FlagUsageFile: Sendable {
    let path: String
    let maximumFlags: Int

    /// More than a record with the default number of flags can take.
    private static let maximumSize = 16 << 20

    /// Returns the record, or `nil` if there is no file.
    func read() throws -> FlagUsageRecord? {
        try StoredFile.bytes(of: path, limit: Self.maximumSize).map { try FlagUsageRecord(bytes: $0) }
    }

    /// Adds usage to the file, while other writers wait.
    ///
    /// - Returns: The path at which a damaged file is kept, or `nil` if it was not damaged.
    func append(_ new: FlagUsageRecord) throws -> String? {
        var file = StoredFile(path, maximumBytes: Self.maximumSize, permissions: 0o600, timeLimit: .seconds(2))
        var aside: String?
        try file.rewrite { bytes in
            var record = FlagUsageRecord()
            do {
                record = try bytes.map { try FlagUsageRecord(bytes: $0) } ?? record
            } catch let error as FlagError where error.code == .invalidDocument {
                let damaged = bytes ?? []
                repeat {
                    file.path = "\(path).damaged-\(UInt32.random(in: .min ... .max))"
                } while try !file.create(with: damaged)
                aside = file.path
            }
            record.append(new)
            record.limitFlags(to: maximumFlags)
            return Array(try record.json())
        }
        return aside
    }
}
