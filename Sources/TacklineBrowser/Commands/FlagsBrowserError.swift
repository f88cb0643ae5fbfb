/// An error of a browser, with a message that says what to do about it.
package struct FlagsBrowserError: Error, Sendable, Hashable, Codable, CustomStringConvertible {
    /// The kind of failure.
    package enum Code: String, Sendable, Hashable, Codable {
        /// There is no flag with this id. It may have been removed.
        case unknownFlag = "unknown-flag"
        /// There is no section or group with this id.
        case unknownGroup = "unknown-group"
        /// The flag's chain has no writable provider with this id.
        case unknownDestination = "unknown-destination"
        /// The flag's chain has no provider that can be written to.
        case noDestination = "no-destination"
        /// The flag is locked and can't be edited.
        case locked
        /// The browser only shows flags.
        case readOnly = "read-only"
        /// The program runs in production, where editing was not allowed explicitly.
        case production
        /// The flag's type refuses the value that was entered.
        case invalidValue = "invalid-value"
        /// The value can't expire at the given time: it is in the past, or the provider doesn't store expiry dates.
        case invalidExpiry = "invalid-expiry"
        /// A provider refused a write or failed. It kept its values.
        case writeFailed = "write-failed"
        /// The text is not a bundle of overrides.
        case unreadableBundle = "unreadable-bundle"
        /// This version can't read the message.
        case unreadableMessage = "unreadable-message"
    }

    /// The kind of failure.
    package var code: Code
    /// A description of the failure and of what to do next, for people: one or two sentences.
    package var message: String
    /// The line of the mistake in the text that was entered, starting at 1, or `nil` if there is no such position.
    package var line: Int?
    /// The column of the mistake in Unicode scalars, starting at 1, or `nil` if there is no such position.
    package var column: Int?

    package init(_ code: Code, _ message: String, line: Int? = nil, column: Int? = nil) {
        (self.code, self.message, self.line, self.column) = (code, message, line, column)
    }

    /// The message.
    package var description: String { message }
}
