public import TacklineCore

/// An error of a browser, with a message that says what to do about it.
public struct FlagsBrowserError: Error, Sendable, Hashable, Codable {
    /// A stable name for a kind of failure. Later releases may add more.
    public struct Code: RawRepresentable, Sendable, Hashable, Codable {
        /// The name, in kebab case.
        public var rawValue: String
        /// Creates a code of your own.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// Creates a code of your own.
        public init(_ rawValue: String) { self.rawValue = rawValue }

        /// There is no flag with this id. It may have been removed.
        public static let unknownFlag = Code("unknown-flag")
        /// There is no section or group with this id.
        public static let unknownGroup = Code("unknown-group")
        /// The flag's chain has no writable provider with this id.
        public static let unknownDestination = Code("unknown-destination")
        /// The flag's chain has no provider that can be written to.
        public static let noDestination = Code("no-destination")
        /// The flag is locked and can't be edited.
        public static let locked = Code("locked")
        /// The browser only shows flags.
        public static let readOnly = Code("read-only")
        /// The program runs in production, where editing was not allowed explicitly.
        public static let production = Code("production")
        /// The flag's type refuses the value that was entered.
        public static let invalidValue = Code("invalid-value")
        /// The value can't expire at the given time: it is in the past, or the provider doesn't store expiry dates.
        public static let invalidExpiry = Code("invalid-expiry")
        /// A provider refused a write or failed. It kept its values.
        public static let writeFailed = Code("write-failed")
        /// There is no edit to undo.
        public static let nothingToUndo = Code("nothing-to-undo")
        /// Somebody else has changed the value since the edit that would be undone.
        public static let undoConflict = Code("undo-conflict")
        /// Somebody else has changed the value since the author of the request saw it.
        public static let editConflict = Code("edit-conflict")
        /// The text is not a bundle of overrides.
        public static let unreadableBundle = Code("unreadable-bundle")
        /// This version can't read the request or the reply.
        public static let unreadableMessage = Code("unreadable-message")
        /// A browser in another process can't be reached.
        public static let connection = Code("connection")
    }

    /// The kind of failure.
    public var code: Code
    /// A description of the failure and of what to do next, for people: one or two sentences.
    public var message: String
    /// The id of the flag concerned, or `nil`.
    public var flag: String?
    /// The key of the flag concerned, or `nil`.
    public var key: String?
    /// The id of the provider concerned, or `nil`.
    public var provider: String?
    /// The line of the mistake in the text that was entered, starting at 1, or `nil` if there is no such position.
    public var line: Int?
    /// The column of the mistake in Unicode scalars, starting at 1, or `nil` if there is no such position.
    public var column: Int?
    /// The members and elements around the mistake, outermost first; empty if there are none.
    public var path: [String]

    /// Creates an error.
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

extension FlagsBrowserError {
    /// Returns the message for input that can't be used.
    package static func message(of reason: String, key: String, isPreview: Bool) -> String {
        isPreview ? "Not valid yet: \(reason)." : "Flag \(key.quoted) was not written: \(reason). Nothing has changed."
    }
}

extension FlagsBrowserError: CustomStringConvertible {
    /// The message.
    public var description: String { message }
}

extension FlagsBrowserError: FlagValue {}
