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
