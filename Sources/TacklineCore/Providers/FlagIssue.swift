import Synchronization
import TacklineCLibrary

#if canImport(os)
    import os
#endif

/// A problem that can't be thrown to a caller, such as a value that a flag's type refuses.
public struct FlagIssue: Error, Sendable, Equatable, CustomStringConvertible {
    /// A stable name for a kind of issue. A name never changes its meaning.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The name, in kebab case.
        public let name: String

        /// Creates a code with a name of your own.
        public init(_ name: String) { self.name = name }
        /// The name.
        public var description: String { name }

        /// A provider's value that the flag's type refuses.
        public static let refusedValue = Code("refused-value")
        /// A read of a flag before a loader bound it.
        public static let unboundFlag = Code("unbound-flag")
        /// A read of a flag after its loader was deallocated.
        public static let loaderGone = Code("loader-gone")
        /// Computed flags or providers that read each other's flags in a cycle.
        public static let cycle = Code("cycle")
        /// Computed flags that read each other more levels deep than is allowed.
        public static let tooDeep = Code("too-deep")
        /// Two flags with one key.
        public static let duplicateKey = Code("duplicate-key")
        /// A flag whose key path begins another flag's, so that one name is a flag and a group.
        public static let overlappingKeys = Code("overlapping-keys")
        /// A component of a key path that is empty.
        public static let emptyKeyComponent = Code("empty-key-component")
        /// A component of a key path that contains the separator.
        public static let separatorInKeyComponent = Code("separator-in-key-component")
        /// A key configuration whose separator is empty.
        public static let emptySeparator = Code("empty-separator")
        /// A collection whose properties can't be found, because reflection metadata was stripped.
        public static let missingReflection = Code("missing-reflection")
        /// A flag or collection that is declared in a place where reflection doesn't find it.
        public static let unreachableFlag = Code("unreachable-flag")
        /// A flag with an update policy that pins its value, whose value depends on a provider with answers for each task.
        public static let pinnedPerTask = Code("pinned-per-task")
        /// The name of a flag that doesn't exist, in a configuration, an argument or an environment variable.
        public static let unknownFlag = Code("unknown-flag")
        /// A `computed` closure that takes another collection than the root one.
        public static let wrongRoot = Code("wrong-root")
        /// A file of a provider that can't be read. The values that it had before stay in force.
        public static let unreadableFile = Code("unreadable-file")
        /// A flag whose default is outside of its bounds, or whose bounds can't be used.
        public static let invalidBounds = Code("invalid-bounds")
        /// A property of the root collection with the same name as a member of the loader.
        public static let hiddenFlag = Code("hidden-flag")
    }

    /// The kind of issue.
    public var code: Code
    /// The problem, its place, and the next step, in full sentences.
    public var message: String
    /// The flag concerned, or `nil` if there is none.
    public var key: FlagKeyPath?
    /// The id of the provider concerned, or `nil` if there is none.
    public var provider: String?
    /// The value concerned, or `nil` if there is none.
    public var value: EncodedFlagValue?

    /// Creates an issue.
    public init(
        _ code: Code, message: String, key: FlagKeyPath? = nil, provider: String? = nil, value: EncodedFlagValue? = nil
    ) {
        self.code = code
        self.message = message
        self.key = key
        self.provider = provider
        self.value = value
    }

    /// The message with its code.
    public var description: String { "\(message) [\(code)]" }

    /// Whether the issue is a mistake in the app's own declarations, which is the same at each launch.
    fileprivate var isInDeclaration: Bool {
        [
            .missingReflection, .unreachableFlag, .duplicateKey, .overlappingKeys, .emptyKeyComponent,
            .separatorInKeyComponent, .emptySeparator, .wrongRoot, .cycle, .tooDeep, .invalidBounds,
        ].contains(code)
    }
}

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
        let send: @Sendable (FlagIssue) -> Void
        /// Created with the first issue, as the entries of a `FlagIssueLog`.
        private let sources = Mutex<Sources?>(nil)

        private final class Sources {
            var logs: [String: Set<ObjectIdentifier>] = [:]
        }

        init(_ send: @escaping @Sendable (FlagIssue) -> Void) { self.send = send }

        /// Remembers an issue of a log, and returns whether no other log has the same issue.
        func begin(_ issue: FlagIssue, from source: ObjectIdentifier) -> Bool {
            sources.withLock { sources in
                let present = sources ?? Sources()
                sources = present
                present.logs[issue.description, default: []].insert(source)
                return present.logs[issue.description]?.count == 1
            }
        }

        /// Forgets an issue of a log.
        func end(_ issue: FlagIssue, from source: ObjectIdentifier) {
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
    public init(_ send: @escaping @Sendable (FlagIssue) -> Void) { destination = Destination(send) }

    /// Passes an issue to the closure.
    ///
    /// The closure may read flags. Issues of those reads are reported too, up to four levels deep; deeper ones are
    /// dropped.
    public func report(_ issue: FlagIssue) {
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
