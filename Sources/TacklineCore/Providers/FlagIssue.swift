import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Something that went wrong and cannot be thrown to a caller, such as a value that a flag's type refuses.
public struct FlagIssue: Error, Sendable, Hashable {
    /// A stable name for a kind of issue. A name never changes its meaning.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The name, in kebab case.
        public let name: String

        /// Makes a code with a name of your own.
        public init(_ name: String) { self.name = name }
        /// The name.
        public var description: String { name }

        /// A provider holds a value that the flag's type refuses.
        public static let refusedValue = Code("refused-value")
        /// A flag was read before a loader bound it.
        public static let unboundFlag = Code("unbound-flag")
        /// A flag was read after its loader was gone.
        public static let loaderGone = Code("loader-gone")
        /// Computed flags read each other in a circle.
        public static let cycle = Code("cycle")
        /// Computed flags read each other through too many steps.
        public static let tooDeep = Code("too-deep")
        /// Two flags have one key.
        public static let duplicateKey = Code("duplicate-key")
        /// A part of a key path is empty.
        public static let emptyKeyComponent = Code("empty-key-component")
        /// A part of a key path contains the separator.
        public static let separatorInKeyComponent = Code("separator-in-key-component")
        /// The separator of the key configuration is empty.
        public static let emptySeparator = Code("empty-separator")
        /// The collection's properties cannot be seen, because reflection metadata was stripped.
        public static let missingReflection = Code("missing-reflection")
        /// A flag was declared where reflection does not find it.
        public static let unreachableFlag = Code("unreachable-flag")
        /// Something names a flag that does not exist: a line of a configuration, an argument, an environment variable.
        public static let unknownFlag = Code("unknown-flag")
        /// A `computed` closure takes another collection than the root.
        public static let wrongRoot = Code("wrong-root")
    }

    /// What kind of issue this is.
    public var code: Code
    /// What happened, where, and what to do next, in full sentences.
    public var message: String
    /// The flag concerned, if it is about one.
    public var key: FlagKeyPath?
    /// The id of the provider concerned, if it is about one.
    public var provider: String?
    /// The value concerned, if it is about one.
    public var value: EncodedFlagValue?

    /// Makes an issue.
    public init(
        _ code: Code,
        message: String,
        key: FlagKeyPath? = nil,
        provider: String? = nil,
        value: EncodedFlagValue? = nil
    ) {
        self.code = code
        self.message = message
        self.key = key
        self.provider = provider
        self.value = value
    }
}

extension FlagIssue: CustomStringConvertible {
    /// The message with its code.
    public var description: String { "\(message) [\(code)]" }
}

/// Where issues go.
///
/// A loader has one of its own. Flags without a loader use ``standard``, or what ``withReporter(_:operation:)`` set
/// for the current task.
public struct FlagIssueReporter: Sendable {
    private let send: @Sendable (FlagIssue) -> Void
    /// Whether nobody chose it.
    package private(set) var isStandard = false

    /// Makes a reporter around a closure, which is called from any thread and never under a lock of this library.
    public init(_ send: @escaping @Sendable (FlagIssue) -> Void) {
        self.send = send
    }

    /// Hands an issue over.
    ///
    /// A reporter may read flags. An issue that comes of that is reported as well, and so on four deep; what is deeper
    /// is dropped, so that a reporter which causes the issue that it reports comes to an end.
    public func report(_ issue: FlagIssue) {
        let depth = Self.depth
        guard depth < 4 else { return }
        Self.$depth.withValue(depth + 1) { send(issue) }
    }

    /// How many reports of the current task are under way.
    @TaskLocal private static var depth = 0

    /// Drops every issue.
    public static let silent = FlagIssueReporter { _ in }

    /// Writes each issue as a line on standard error, and the same line only once.
    ///
    /// It remembers 1,000 lines; what comes after that is written each time.
    public static let standardError = FlagIssueReporter { issue in
        let line = "Tackline: \(issue)".map { $0.isNewline ? " " : $0 }
        let text = String(line)
        let isNew = writtenLines.withLock { lines in
            guard !lines.contains(text) else { return false }
            if lines.count < 1000 { lines.insert(text) }
            return true
        }
        guard isNew else { return }
        let bytes = Array((text + "\n").utf8)
        _ = bytes.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }

    /// ``standardError`` in debug builds, ``silent`` in release builds.
    public static var standard: FlagIssueReporter {
        #if DEBUG
            var reporter = standardError
        #else
            var reporter = silent
        #endif
        reporter.isStandard = true
        return reporter
    }

    /// What issues without a loader go to, and what a new loader uses unless told otherwise.
    public static var current: FlagIssueReporter {
        scoped ?? .standard
    }

    /// Runs an operation, sending what has no loader, and what new loaders find, to the given reporter.
    ///
    /// It holds for the current task and its children.
    public static func withReporter<Success, Failure: Error>(
        _ reporter: FlagIssueReporter,
        operation: () throws(Failure) -> Success
    ) throws(Failure) -> Success {
        let result: Result<Success, Failure> = $scoped.withValue(reporter) {
            do throws(Failure) { return .success(try operation()) } catch { return .failure(error) }
        }
        return try result.get()
    }

    @TaskLocal private static var scoped: FlagIssueReporter?

    private static let writtenLines = Mutex<Set<String>>([])
}
