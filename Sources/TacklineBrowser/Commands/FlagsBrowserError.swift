public import TacklineCore

/// What a browser could not do, and what to do about it.
public struct FlagsBrowserError: Error, Sendable, Hashable, Codable {
    /// A stable name for a kind of failure. Later releases may add more.
    public struct Code: RawRepresentable, Sendable, Hashable, Codable {
        /// The name, in kebab case.
        public var rawValue: String
        /// Makes a code of your own.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// Makes a code of your own.
        public init(_ rawValue: String) { self.rawValue = rawValue }

        /// There is no flag with this id; perhaps not any more.
        public static let unknownFlag = Code("unknown-flag")
        /// There is no section or group with this id.
        public static let unknownGroup = Code("unknown-group")
        /// The flag's chain has no writable provider with this id.
        public static let unknownDestination = Code("unknown-destination")
        /// The flag's chain has no provider that can be written to.
        public static let noDestination = Code("no-destination")
        /// The flag may only be looked at.
        public static let locked = Code("locked")
        /// The browser only shows.
        public static let readOnly = Code("read-only")
        /// The program runs in production, where editing was not allowed explicitly.
        public static let production = Code("production")
        /// The flag's type refuses what was entered.
        public static let invalidValue = Code("invalid-value")
        /// A provider refused or failed. It kept what it had.
        public static let writeFailed = Code("write-failed")
        /// There is no edit to undo.
        public static let nothingToUndo = Code("nothing-to-undo")
        /// Somebody else has since changed the value that would be undone.
        public static let undoConflict = Code("undo-conflict")
        /// Somebody else has changed what would be overwritten since the one who edits looked.
        public static let editConflict = Code("edit-conflict")
        /// A text is no bundle of overrides.
        public static let unreadableBundle = Code("unreadable-bundle")
        /// A request, or an answer, is not one that this version understands.
        public static let unreadableMessage = Code("unreadable-message")
        /// A browser elsewhere cannot be reached.
        public static let connection = Code("connection")
    }

    /// What kind of failure this is.
    public var code: Code
    /// What happened and what to do next, for people: one or two sentences.
    public var message: String
    /// The id of the flag concerned, or `nil`.
    public var flag: String?
    /// The key of the flag concerned, or `nil`.
    public var key: String?
    /// The id of the provider concerned, or `nil`.
    public var provider: String?
    /// The line of the mistake in the text that was entered, from 1; `nil` where there is no such place.
    public var line: Int?
    /// The column of the mistake, in Unicode scalars from 1; `nil` where there is no such place.
    public var column: Int?
    /// The members and elements around the mistake, from the outermost inwards; empty where there are none.
    public var path: [String]

    /// Makes an error.
    public init(
        _ code: Code, _ message: String, flag: String? = nil, key: String? = nil, provider: String? = nil,
        line: Int? = nil, column: Int? = nil, path: [String] = []
    ) {
        self.code = code
        self.message = message
        self.flag = flag
        self.key = key
        self.provider = provider
        self.line = line
        self.column = column
        self.path = path
    }
}

extension FlagsBrowserError: CustomStringConvertible {
    /// The message.
    public var description: String { message }
}

extension FlagsBrowserError: FlagValue {}
