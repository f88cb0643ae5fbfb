/// An error of a flag, a provider or a document, or an issue: an error that can't be thrown to a caller.
///
/// A write throws it, a failed provider has it in its ``FlagProvider/status``, and a ``FlagIssueReporter`` receives the
/// issues:
///
/// ```swift
/// do {
///     try flags.$attempts.setValue(5)
/// } catch where error.code == .notWritable {
///     print(error)  // Flag "attempts" was not written. Provider "file" cannot be written to. … [not-writable]
/// }
/// ```
///
/// A provider of your own throws any error. The loader turns it into a `FlagError` with the provider's name and the key.
public struct FlagError: Error, Sendable, Equatable, CustomStringConvertible {
    /// A stable name for a kind of error. A name never changes its meaning.
    ///
    /// The list is open: modules add their codes in extensions, and you can add your own.
    public struct Code: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
        /// The name, in kebab case.
        public let name: String

        /// Creates a code with a name of your own.
        public init(_ name: String) { self.name = name }
        /// Creates a code from a literal.
        public init(stringLiteral name: String) { self.init(name) }
        /// The name.
        public var description: String { name }
    }

    /// The kind of error.
    public var code: Code
    /// The problem, its place, and the next step, in full sentences.
    public var message: String
    /// The flag concerned, or `nil` if there is none.
    public var key: FlagKeyPath?
    /// The id of the provider concerned, or `nil` if there is none.
    public var provider: String?
    /// The value concerned, or `nil` if there is none, or if it is that of a secret flag.
    public var value: EncodedFlagValue?
    /// Whether the flag concerned is secret. Its value is left out.
    public var isSecret = false
    /// The ids of the providers that took a value before the write failed, in the order of the writes. They keep it.
    public var writtenProviders: [String] = []
    /// The single errors, if this one stands for several, such as all mistakes in a declaration.
    public var underlying: [FlagError] = []

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: The kind of error.
    ///   - message: The problem, its place, and the next step, in full sentences.
    ///   - key: The flag concerned.
    ///   - provider: The id of the provider concerned.
    ///   - value: The value concerned, unless it is secret.
    ///   - underlying: The single errors, if this one stands for several.
    public init(
        _ code: Code, _ message: String, key: FlagKeyPath? = nil, provider: String? = nil,
        value: EncodedFlagValue? = nil, underlying: [FlagError] = []
    ) {
        (self.code, self.message, self.key) = (code, message, key)
        (self.provider, self.value, self.underlying) = (provider, value, underlying)
    }

    /// The message with its code. Several errors have a line each.
    public var description: String {
        underlying.isEmpty ? "\(message) [\(code)]" : underlying.map(\.description).joined(separator: "\n")
    }
}

extension FlagError {
    /// Creates the failure of a provider, whose message begins with the provider and the flag.
    ///
    /// - Parameters:
    ///   - code: The kind of error.
    ///   - provider: The provider's name.
    ///   - key: The flag concerned.
    ///   - value: The value concerned, unless it is secret.
    ///   - reason: The failure and its place, as a sentence without a full stop.
    ///   - advice: The next step, as a sentence without a full stop; `nil` if there is no useful one.
    public init(
        _ code: Code, provider: String, key: FlagKeyPath? = nil, value: EncodedFlagValue? = nil, reason: String,
        advice: String? = nil
    ) {
        let advice = advice.map { " \($0)." } ?? ""
        let subject = Self.subject(provider, key)
        self.init(code, "\(subject)\(reason).\(advice)", key: key, provider: provider, value: value)
    }

    /// Creates the error of a provider that threw one of any type. A ``FlagError`` that names no provider gets its name
    /// and the key.
    package init(_ error: any Error, provider: String, key: FlagKeyPath? = nil) {
        guard let error = error as? FlagError else {
            let code: Code = error is CancellationError ? .cancelled : .providerFailed
            self.init(
                code, provider: provider, key: key, reason: "it threw \(error)",
                advice: "Correct the cause, or use another provider")
            return
        }
        self = error
        guard self.provider == nil else { return }
        self.key = error.key ?? key
        self.provider = provider
        message = Self.subject(provider, self.key) + message
    }

    /// The message without the provider, the flag and the last full stop, for a text that has named them already.
    package var reason: String {
        let subject = provider.map { Self.subject($0, key) } ?? ""
        let text = message.hasPrefix(subject) ? message.dropFirst(subject.count) : message[...]
        return String(text.hasSuffix(".") ? text.dropLast() : text)
    }

    private static func subject(_ provider: String, _ key: FlagKeyPath?) -> String {
        "Provider \"\(provider)\"\(key.map { ", flag \"\($0)\"" } ?? ""): "
    }
}

extension FlagError.Code {
    // MARK: Values

    /// A value that the flag's type refuses.
    public static let refusedValue: Self = "refused-value"
    /// A flag whose default is outside of its bounds, or whose bounds can't be used.
    public static let invalidBounds: Self = "invalid-bounds"

    // MARK: Declarations

    /// Mistakes in the declaration of a collection. Each is one of ``FlagError/underlying``.
    public static let invalidDeclaration: Self = "invalid-declaration"
    /// Two flags with one key.
    public static let duplicateKey: Self = "duplicate-key"
    /// A flag whose key path begins another flag's, so that one name is a flag and a group.
    public static let overlappingKeys: Self = "overlapping-keys"
    /// A component of a key path that is empty.
    public static let emptyKeyComponent: Self = "empty-key-component"
    /// A component of a key path that contains the separator.
    public static let separatorInKeyComponent: Self = "separator-in-key-component"
    /// A key configuration whose separator is empty.
    public static let emptySeparator: Self = "empty-separator"
    /// A collection whose properties can't be found, because reflection metadata was stripped.
    public static let missingReflection: Self = "missing-reflection"
    /// A flag or collection that is declared in a place where reflection doesn't find it.
    public static let unreachableFlag: Self = "unreachable-flag"
    /// A `computed` closure that takes another collection than the root one.
    public static let wrongRoot: Self = "wrong-root"
    /// A property of the root collection with the same name as a member of the loader.
    public static let hiddenFlag: Self = "hidden-flag"

    // MARK: Reads

    /// A read or a write of a flag before a loader bound it.
    public static let unboundFlag: Self = "unbound-flag"
    /// A read of a flag after its loader was deallocated.
    public static let loaderGone: Self = "loader-gone"
    /// Computed flags or providers that read each other's flags in a cycle.
    public static let cycle: Self = "cycle"
    /// A flag with an update policy that pins its value, whose value depends on a provider with answers for each task.
    public static let pinnedPerTask: Self = "pinned-per-task"
    /// The name of a flag that doesn't exist, in a configuration, an argument or an environment variable.
    public static let unknownFlag: Self = "unknown-flag"

    // MARK: Writes

    /// A chain without a provider that can be written to.
    public static let noWritableProvider: Self = "no-writable-provider"
    /// A provider that the chain doesn't have.
    public static let unknownProvider: Self = "unknown-provider"
    /// A provider that can't be written to.
    public static let notWritable: Self = "not-writable"
    /// A write to a flag whose computed value answers.
    public static let computedFlagWritten: Self = "computed-flag-written"

    // MARK: Providers

    /// A value that the provider's format can't hold.
    public static let unsupportedValue: Self = "unsupported-value"
    /// Stored values that can't be read: wrong syntax, wrong encoding, over a limit.
    public static let unreadable: Self = "unreadable"
    /// A file of a provider that can't be read. The values that it had before stay in force.
    public static let unreadableFile: Self = "unreadable-file"
    /// A document that can't be used as a whole in its format.
    public static let invalidDocument: Self = "invalid-document"
    /// A failure to read or write: permissions, space, the disk.
    public static let inputOutput: Self = "input-output"
    /// No answer over the network.
    public static let network: Self = "network"
    /// An answer over the network that is not usable.
    public static let rejected: Self = "rejected"
    /// The cancellation of the task that waited.
    public static let cancelled: Self = "cancelled"
    /// An error of another type, which a provider threw.
    public static let providerFailed: Self = "provider-failed"
}
