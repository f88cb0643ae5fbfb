import Synchronization
import TacklineCLibrary

#if canImport(os)
    import os
#endif

/// The destination of issues.
///
/// ```swift
/// let reporter = FlagIssueReporter { issue in logger.warning("\(issue)") }
/// let flags = FlagsLoader(AppFlags.self, providers: [remote], issueReporter: reporter)
/// ```
///
/// Each loader has a reporter, and its providers send their issues there too. Flags without a loader use ``current``. An
/// issue of any source is reported once until its cause has gone.
public final class FlagIssueReporter: Sendable {
    private let send: @Sendable (FlagError) -> Void
    /// The issues that were reported and have not been resolved.
    ///
    /// Removed issues are released after the lock, because releasing an issue's value may run a provider's code.
    private let known = Mutex<[FlagError]>([])
    private let hasNone = Atomic<Bool>(true)

    /// Creates a reporter from a closure, which is called on any thread and never under a lock of this library.
    public init(_ send: @escaping @Sendable (FlagError) -> Void) { self.send = send }

    /// Passes an issue to the closure, unless the same issue was reported before and has not been resolved.
    ///
    /// Hold no lock when you call it. The closure may read flags. Issues of those reads are reported too, up to four
    /// levels deep; deeper ones are dropped. After 1,000 issues that persist, the reporter forgets them and starts over.
    public func report(_ issue: FlagError) {
        let depth = Self.depth
        guard depth < 4 else { return }
        let old = known.withLock { known -> [FlagError]? in
            if known.contains(where: issue.isSame) { return nil }
            defer { known = (known.count < 1000 ? known : []) + [issue] }
            hasNone.store(false, ordering: .relaxed)
            return known
        }
        withExtendedLifetime(old) {
            if old != nil { Self.$depth.withValue(depth + 1) { send(issue) } }
        }
    }

    /// The number of calls of ``report(_:)`` that the current task is in.
    @TaskLocal private static var depth = 0

    /// Forgets the issues of a code, a key and a provider whose cause has gone, so that they are reported if it comes
    /// back.
    public func resolve(_ code: FlagError.Code, key: FlagKeyPath? = nil, provider: String? = nil) {
        forget(issues(code, key: key, provider: provider))
    }

    /// Replaces the issues of some codes and of a provider. Those that persist aren't reported again.
    package func replace(_ codes: [FlagError.Code], of provider: String, with issues: [FlagError]) {
        let messages = Set(issues.map(\.message))
        let others = all.filter { codes.contains($0.code) && ($0.provider ?? provider) == provider }
        forget(others.filter { !messages.contains($0.message) })
        issues.forEach(report)
    }

    func resolveAll(ofProvider id: String) { forget(all.filter { $0.provider == id }) }

    private var all: [FlagError] { isEmpty ? [] : known.withLock { $0 } }

    private func forget(_ gone: [FlagError]) {
        if gone.isEmpty { return }
        let old = known.withLock { known in
            let old = known
            known = old.filter { !gone.contains(where: $0.isSame) }
            hasNone.store(known.isEmpty, ordering: .relaxed)
            return old
        }
        // Released here, outside the lock, because releasing an issue's value may run a provider's code.
        withExtendedLifetime(old) {}
    }

    /// Returns the issues of a code, a key and a provider that were reported and have not been resolved.
    @inline(never)
    package func issues(_ code: FlagError.Code, key: FlagKeyPath? = nil, provider: String? = nil) -> [FlagError] {
        all.filter { $0.hasCause(code, key, provider) }
    }

    /// Whether no issues were reported that have not been resolved, without a lock.
    var isEmpty: Bool { hasNone.load(ordering: .relaxed) }

    /// A reporter that drops every issue.
    public static let silent = FlagIssueReporter { _ in }

    /// A reporter that writes each issue as a line to standard error.
    public static let standardError = FlagIssueReporter { issue in
        let bytes = Array((line(issue) + "\n").utf8)
        _ = bytes.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }

    /// A reporter that writes to the log of Apple's systems, subsystem `tackline`. On other systems it is
    /// ``standardError``.
    public static let systemLog: FlagIssueReporter = {
        #if canImport(Darwin)
            FlagIssueReporter { issue in
                Logger(subsystem: "tackline", category: "flags").error("\(line(issue), privacy: .public)")
            }
        #else
            standardError
        #endif
    }()

    private static func line(_ issue: FlagError) -> String {
        String("Tackline: \(issue)".map { $0.isNewline ? " " : $0 })
    }

    /// The default reporter: ``systemLog`` if this library was built for debugging. In release builds it reports only that
    /// the program was built without the metadata by which flags are found.
    public static let standard = FlagIssueReporter { issue in
        if isDebugBuild || issue.code == .missingReflection { systemLog.send(issue) }
    }

    static var isDebugBuild: Bool {
        #if DEBUG
            true
        #else
            false
        #endif
    }

    /// The reporter for issues without a loader, and the default reporter of new loaders.
    public static var current: FlagIssueReporter { scoped ?? .standard }

    /// Runs an operation with the given reporter as ``current``.
    public static func withReporter<Success, Failure: Error>(
        _ reporter: FlagIssueReporter, operation: () throws(Failure) -> Success
    ) throws(Failure) -> Success {
        try $scoped.withValue(reporter) { Result(catching: operation) }.get()
    }

    /// Runs an asynchronous operation with the given reporter as ``current``, on the caller's actor.
    public static func withReporter<Success, Failure: Error>(
        _ reporter: FlagIssueReporter, operation: () async throws(Failure) -> Success
    ) async throws(Failure) -> Success {
        let result: Result<Success, Failure> = await $scoped.withValue(reporter) {
            do throws(Failure) { return .success(try await operation()) } catch { return .failure(error) }
        }
        return try result.get()
    }

    @TaskLocal private static var scoped: FlagIssueReporter?
}

extension FlagError {
    /// Returns whether both are one issue, which is reported once.
    fileprivate func isSame(as other: FlagError) -> Bool {
        message == other.message && hasCause(other.code, other.key, other.provider)
    }

    @inline(never) fileprivate func hasCause(_ code: Code, _ key: FlagKeyPath?, _ provider: String?) -> Bool {
        self.code == code && self.key == key && self.provider == provider
    }
}
