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
/// issue that persists is reported once (``FlagIssueLog``). Copies of a reporter count as one.
public struct FlagIssueReporter: Sendable {
    /// The closure, and the sources of the issues that exist at present, by the issues' texts.
    final class Destination: Sendable {
        let send: @Sendable (FlagError) -> Void
        /// Created with the first issue, as the entries of a `FlagIssueLog`.
        private let sources = Mutex<Sources?>(nil)

        private final class Sources {
            var logs: [String: Set<ObjectIdentifier>] = [:]
        }

        init(_ send: @escaping @Sendable (FlagError) -> Void) { self.send = send }

        /// Remembers an issue of a log, and returns whether no other log has the same issue.
        func begin(_ issue: FlagError, from source: ObjectIdentifier) -> Bool {
            sources.withLock { sources in
                let present = sources ?? Sources()
                sources = present
                present.logs[issue.description, default: []].insert(source)
                return present.logs[issue.description]?.count == 1
            }
        }

        /// Forgets an issue of a log.
        func end(_ issue: FlagError, from source: ObjectIdentifier) {
            sources.withLock { sources in
                guard let sources, sources.logs[issue.description]?.remove(source) != nil else { return }
                if sources.logs[issue.description]?.isEmpty == true { sources.logs[issue.description] = nil }
            }
        }
    }

    let destination: Destination
    /// Whether the reporter is ``standard``, so that no one chose it.
    package private(set) var isStandard = false

    /// Creates a reporter from a closure, which is called on any thread and never under a lock of this library.
    public init(_ send: @escaping @Sendable (FlagError) -> Void) { destination = Destination(send) }

    /// Passes an issue to the closure.
    ///
    /// The closure may read flags. Issues of those reads are reported too, up to four levels deep; deeper ones are
    /// dropped.
    public func report(_ issue: FlagError) {
        let depth = Self.depth
        guard depth < 4 else { return }
        Self.$depth.withValue(depth + 1) { destination.send(issue) }
    }

    /// Whether the current task is in so many calls of ``report(_:)`` that issues are dropped.
    static var dropsIssues: Bool { depth >= 4 }

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

    @TaskLocal private static var scoped: FlagIssueReporter?
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
