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
/// issue of any source is reported once until its cause has gone. Copies of a reporter count as one.
public struct FlagIssueReporter: Sendable {
    let destination: Destination
    /// Whether the reporter is ``standard``, so that no one chose it.
    package private(set) var isStandard = false

    /// Creates a reporter from a closure, which is called on any thread and never under a lock of this library.
    public init(_ send: @escaping @Sendable (FlagError) -> Void) { destination = Destination(send) }

    /// Passes an issue to the closure, unless the same issue was reported before and has not been resolved.
    ///
    /// Hold no lock when you call it. The closure may read flags. Issues of those reads are reported too, up to four
    /// levels deep; deeper ones are dropped. After 1,000 issues that persist, the reporter forgets them and begins anew.
    public func report(_ issue: FlagError) {
        let depth = Self.depth
        guard depth < 4, destination.remember(issue) else { return }
        Self.$depth.withValue(depth + 1) { destination.send(issue) }
    }

    /// Forgets the issues of a code, a key and a provider whose cause has gone, so that they are reported if it comes
    /// back.
    public func resolve(_ code: FlagError.Code, key: FlagKeyPath? = nil, provider: String? = nil) {
        destination.forget(Destination.Cause(code, key, provider))
    }

    /// Replaces the issues of some codes and of a provider. Those that persist aren't reported again.
    package func replace(_ codes: Set<FlagError.Code>, of provider: String, with issues: [FlagError]) {
        let messages = Set(issues.map(\.message))
        destination.forget {
            codes.contains($0.code) && ($0.provider ?? provider) == provider && !messages.contains($0.message)
        }
        issues.forEach(report)
    }

    /// Forgets the issues of providers that are not in use any more.
    func resolveAll(ofProviders ids: Set<String>) {
        destination.forget { $0.provider.map(ids.contains) ?? false }
    }

    /// Returns the issues of a code, a key and a provider that were reported and have not been resolved.
    package func issues(_ code: FlagError.Code, key: FlagKeyPath? = nil, provider: String? = nil) -> [FlagError] {
        destination.issues(Destination.Cause(code, key, provider))
    }

    /// Whether no issues were reported that have not been resolved.
    var isEmpty: Bool { destination.isEmpty }

    /// The number of calls of ``report(_:)`` that the current task is in.
    @TaskLocal private static var depth = 0

    /// A reporter that drops every issue.
    public static let silent = FlagIssueReporter { _ in }

    /// A reporter that writes each issue as a line to standard error.
    public static let standardError = lines { line in
        let bytes = Array((line + "\n").utf8)
        _ = bytes.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }

    /// A reporter that writes to the log of Apple's systems, subsystem `tackline`. On other systems it is
    /// ``standardError``.
    public static let systemLog: FlagIssueReporter = {
        #if canImport(Darwin)
            lines { Logger(subsystem: "tackline", category: "flags").error("\($0, privacy: .public)") }
        #else
            standardError
        #endif
    }()

    private static func lines(_ write: @escaping @Sendable (String) -> Void) -> FlagIssueReporter {
        FlagIssueReporter { issue in write(String("Tackline: \(issue)".map { $0.isNewline ? " " : $0 })) }
    }

    /// The default reporter: ``systemLog`` in debug builds.
    ///
    /// In release builds it reports only mistakes in the app's own declarations, such as two flags with one key.
    public static let standard: FlagIssueReporter = {
        #if DEBUG
            standard(isDebugging: true)
        #else
            standard(isDebugging: false)
        #endif
    }()

    package static func standard(isDebugging: Bool, output: FlagIssueReporter = .systemLog) -> FlagIssueReporter {
        var reporter = FlagIssueReporter { if isDebugging || $0.isInDeclaration { output.destination.send($0) } }
        reporter.isStandard = true
        return reporter
    }

    /// The reporter for issues without a loader, and the default reporter of new loaders.
    public static var current: FlagIssueReporter { scoped ?? .standard }

    /// Runs an operation with the given reporter as ``current``, for the current task and its child tasks.
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

extension FlagIssueReporter {
    /// The closure, and the issues that it has received and that have not been resolved.
    final class Destination: Sendable {
        struct Cause: Hashable {
            private let code: FlagError.Code
            private let key: String?
            private let provider: String?

            init(_ code: FlagError.Code, _ key: FlagKeyPath?, _ provider: String?) {
                (self.code, self.key, self.provider) = (code, key?.text, provider)
            }
        }

        private final class Memory {
            var issues: [Cause: [FlagError]] = [:]
            var count = 0
        }

        private static let limit = 1000

        let send: @Sendable (FlagError) -> Void
        /// Created with the first issue, because the type of the dictionary takes 0.2 million instructions of a process
        /// that has none. What is removed is released outside of the lock.
        private let memory = Mutex<Memory?>(nil)
        private let hasNone = Atomic<Bool>(true)

        init(_ send: @escaping @Sendable (FlagError) -> Void) { self.send = send }

        /// Whether there are no issues, without a lock.
        var isEmpty: Bool { hasNone.load(ordering: .relaxed) }

        /// Remembers an issue, and returns whether it is new.
        func remember(_ issue: FlagError) -> Bool {
            let cause = Cause(issue.code, issue.key, issue.provider)
            let (isNew, removed) = memory.withLock { memory -> (Bool, [Cause: [FlagError]]) in
                let present = memory ?? Memory()
                memory = present
                guard present.issues[cause]?.contains(where: { $0.message == issue.message }) != true else {
                    return (false, [:])
                }
                var removed: [Cause: [FlagError]] = [:]
                if present.count == Self.limit {
                    swap(&removed, &present.issues)
                    present.count = 0
                }
                present.issues[cause, default: []].append(issue)
                present.count += 1
                hasNone.store(false, ordering: .relaxed)
                return (true, removed)
            }
            withExtendedLifetime(removed) {}
            return isNew
        }

        /// Forgets the issues of a cause.
        func forget(_ cause: Cause) {
            guard !isEmpty else { return }
            let removed = change { $0.removeValue(forKey: cause) ?? [] }
            withExtendedLifetime(removed) {}
        }

        /// Forgets the issues that `isGone` returns `true` for. It is called under the lock.
        func forget(where isGone: (FlagError) -> Bool) {
            guard !isEmpty else { return }
            let removed = change { issues in
                let gone = issues.values.flatMap { $0.filter(isGone) }
                if !gone.isEmpty {
                    issues = issues.mapValues { $0.filter { !isGone($0) } }.filter { !$0.value.isEmpty }
                }
                return gone
            }
            withExtendedLifetime(removed) {}
        }

        /// Returns the issues of a cause.
        func issues(_ cause: Cause) -> [FlagError] {
            isEmpty ? [] : memory.withLock { $0?.issues[cause] ?? [] }
        }

        private func change(_ remove: (inout [Cause: [FlagError]]) -> [FlagError]) -> [FlagError] {
            memory.withLock { memory in
                guard let memory else { return [] }
                let removed = remove(&memory.issues)
                memory.count -= removed.count
                hasNone.store(memory.issues.isEmpty, ordering: .relaxed)
                return removed
            }
        }
    }
}

extension FlagError {
    /// Whether the error is a mistake in the app's own declarations, which is the same at each launch.
    fileprivate var isInDeclaration: Bool {
        let mistakes: Set<Code> = [
            .missingReflection, .unreachableFlag, .duplicateKey, .overlappingKeys, .emptyKeyComponent,
            .separatorInKeyComponent, .emptySeparator, .wrongRoot, .cycle, .tooDeep, .invalidBounds,
        ]
        return mistakes.contains(code)
    }
}
