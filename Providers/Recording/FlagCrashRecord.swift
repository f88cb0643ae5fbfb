public import Foundation
import Synchronization
public import TacklineCore
import TacklineFiles

// Foundation: `URL` names the file, and `Date` is the clock.

/// A record of the values in force and of the last 64 changes that survives the process, however that ends.
///
/// ```swift
/// let crashes = FlagCrashRecord(file: support.appending(path: "flags.crash")) { change in
///     addBreadcrumb("\(change)")
/// }
/// if let last = crashes.last { attach("\(last)") }          // the flags of the launch before
/// let flags = FlagsLoader(AppFlags.self, providers: [overrides, remote], observers: [crashes])
/// ```
///
/// Each new value that a read is given takes one or two writes of 512 bytes to a file of fixed size, before the value is
/// used. They survive a trap, a signal and a kill; where the power fails, the last of them may be lost. A read whose value is
/// at hand costs nothing more. Flags whose metadata says that they are secret are left out, and long values are shortened.
///
/// Create one in a process, before the loaders, whose flags then have different keys. Processes that use the same file at
/// the same time get files of their own, `flags.crash-2` to `flags.crash-8`; an app extension should have its own name.
/// Call the methods from any thread.
public final class FlagCrashRecord: FlagResolutionObserver {
    private struct Known {
        let value: RecordedFlagValue
        let source: FlagSource
        /// The number of the flag in the file, or `nil` if there is no room for it.
        let index: Int?
        /// The number of times that the value was written.
        let writes: Int
        /// The values so far, if the flag has one for each task.
        let valuesOfTasks: [RecordedFlagValue]
    }

    private struct State {
        /// `nil` if the file can't be used.
        var ring: CrashRing?
        var known: [String: Known] = [:]
        var changeCount = 0
        var hasFailed = false
    }

    /// The maximum number of values of a flag that are recorded if it has one for each task.
    private static let maximumValuesOfTasks = 8

    /// The flags of the launch before, as its process left them; `nil` if there was none, or if its record can't be read.
    public let last: FlagCrashReport?

    private let now: @Sendable () -> Date
    private let issueReporter: FlagIssueReporter
    private let onChange: (@Sendable (FlagCrashReport.Change) -> Void)?
    /// Held for at most two calls of the system.
    private let state: Mutex<State>

    /// Reads the record of the launch before and begins one of this launch.
    ///
    /// - Parameters:
    ///   - file: The file, which is created if necessary, for this user only. Don't use a folder for caches.
    ///   - maximumFlags: The number of flags whose values are kept, up to 4096. A flag takes a kilobyte.
    ///   - issueReporter: The destination of an issue: a file that can't be read or written.
    ///   - onChange: Receives each value that is recorded, for the breadcrumbs of a crash reporter: on the thread of the
    ///     read, under no lock. Of two threads that read at the same time, either may come first.
    ///   - now: Returns the time of a change.
    public init(
        file: URL, maximumFlags: Int = 256, issueReporter: FlagIssueReporter = .current,
        onChange: (@Sendable (FlagCrashReport.Change) -> Void)? = nil, now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.now = now
        self.issueReporter = issueReporter
        self.onChange = onChange
        var state = State()
        var failure: (any Error)?
        do {
            state.ring = try CrashRing(
                path: file.path(percentEncoded: false), flagCount: maximumFlags, began: now().timeIntervalSince1970)
        } catch {
            failure = error
        }
        last = state.ring?.last
        let asidePath = state.ring?.asidePath
        self.state = Mutex(state)
        if let asidePath {
            let message = """
                \(file.path(percentEncoded: false)) was not a whole record of the flags at a crash, so a new one was \
                begun. It is kept as \(asidePath). Remove it, or give FlagCrashRecord a file that it alone can write.
                """
            issueReporter.report(FlagIssue(.damagedCrashRecord, message: message))
        }
        if let failure { report(failure) }
    }

    /// Records the value if it is new.
    public func flagWasResolved(_ flag: ResolvedFlag) {
        guard !flag.metadata.isSecret else { return }
        let key = flag.key.text
        let value = RecordedFlagValue(flag.value)
        let date = now()
        var failure: SystemCallError?
        let change = state.withLock { state -> FlagCrashReport.Change? in
            let known = state.known[key]
            if let known, known.value == value, known.source == flag.source { return nil }
            var valuesOfTasks = known?.valuesOfTasks ?? []
            if flag.isForTask {
                // Tasks that take turns are no changes.
                guard !valuesOfTasks.contains(value), valuesOfTasks.count < Self.maximumValuesOfTasks else {
                    return nil
                }
                valuesOfTasks.append(value)
            }
            var change = FlagCrashReport.Change(
                number: 0, key: key, from: known?.value ?? last?.values[key]?.value, to: value, source: flag.source,
                date: date)
            if let from = change.from, from != value || known != nil {
                state.changeCount += 1
                change.number = state.changeCount
            } else {
                change.from = nil
            }
            let index = known.map(\.index) ?? room(in: state)
            state.known[key] = Known(
                value: value, source: flag.source, index: index, writes: (known?.writes ?? 0) + 1,
                valuesOfTasks: valuesOfTasks)
            do throws(SystemCallError) {
                try write(change, index: index, writes: known?.writes ?? 0, state)
            } catch {
                // Reported once. Later values are tried again.
                if !state.hasFailed { failure = error }
                state.hasFailed = true
            }
            return change
        }
        if let failure { report(failure) }
        if let change { onChange?(change) }
    }

    /// Returns the number for another flag, or `nil` if there is no room.
    private func room(in state: State) -> Int? {
        guard let ring = state.ring, state.known.count < ring.head.layout.flagCount else { return nil }
        return state.known.count
    }

    private func write(
        _ change: FlagCrashReport.Change, index: Int?, writes: Int, _ state: State
    ) throws(SystemCallError) {
        guard let ring = state.ring else { return }
        var content: [String: EncodedFlagValue] = [:]
        for size in [RecordedFlagValue.maximumSize, 40, 10] {
            content = change.content(maximumSize: size)
            if CrashSlot(sequence: 0, content: content).bytes(at: 0, launch: 0) != nil { break }
        }
        let layout = ring.head.layout
        if change.number > 0 { try ring.write(content, at: layout.slot(ofChange: change.number)) }
        guard let index else { return try ring.noteMoreFlags() }
        content["number"] = nil
        content["from"] = nil
        try ring.write(content, at: layout.slot(ofFlag: index, write: writes))
    }

    private func report(_ failure: any Error) {
        let message = """
            The flags at a crash can't be recorded: \(failure). Give FlagCrashRecord a file that it alone can write.
            """
        issueReporter.report(FlagIssue(.unwrittenCrashRecord, message: message))
    }
}

extension FlagIssue.Code {
    /// A record of the flags at a crash that can't be written.
    public static let unwrittenCrashRecord = FlagIssue.Code("crash-record-unwritten")
    /// A record of the flags at a crash that was damaged and is kept aside.
    public static let damagedCrashRecord = FlagIssue.Code("crash-record-damaged")
}
