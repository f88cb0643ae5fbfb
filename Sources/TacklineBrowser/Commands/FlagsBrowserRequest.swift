#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif
public import TacklineCore

// Foundation: the moment at which a value ends.

/// A command together with its author and the values that the author saw.
///
/// ```swift
/// let ada = FlagsBrowserAuthor(id: "laptop", name: "Ada")
/// let reply = try await browser.perform(FlagsBrowserRequest(.set(flag: id, to: .text("5")), author: ada))
/// try await browser.perform(FlagsBrowserRequest(.undo(), author: ada, edit: reply.edit))
/// ```
///
/// In JSON it is the object of its command with the further members `author`, `expected`, `expires` and `edit`.
public struct FlagsBrowserRequest: Sendable, Hashable {
    /// The command to perform.
    public var command: FlagsBrowserCommand
    /// The author of the request, or `nil` if there is none. An undo affects only edits of the same author.
    public var author: FlagsBrowserAuthor?
    /// The value that the destination of a `set` or `reset` held when the author saw it, or `nil` to accept any value.
    /// If the destination holds another value now, nothing is written and the error has the code
    /// ``FlagsBrowserError/Code/editConflict``, unless the author's own last edit set that value.
    public var expected: FlagsBrowserExpectation?
    /// The time at which the value of a `set` expires, or `nil` if it never does. The destination must be able to store
    /// expiry dates.
    public var expires: Date?
    /// The number of the edit that an `undo` or `redo` refers to, from ``FlagsBrowserReply/edit``, or `nil` for the
    /// last one of the author.
    public var edit: Int?

    /// Creates a request.
    public init(
        _ command: FlagsBrowserCommand, author: FlagsBrowserAuthor? = nil, expected: FlagsBrowserExpectation? = nil,
        expires: Date? = nil, edit: Int? = nil
    ) {
        self.command = command
        self.author = author
        self.expected = expected
        self.expires = expires
        self.edit = edit
    }
}

/// A person or device that edits flags.
public struct FlagsBrowserAuthor: Sendable, Hashable, Codable {
    /// An identifier for a browser, device or person. Anyone who knows it can undo the author's edits.
    public var id: String
    /// The name for people, as the author entered it, or `nil` if there is none.
    public var name: String?

    /// Creates an author.
    public init(id: String, name: String? = nil) {
        self.id = id
        self.name = name
    }
}

/// The value of a flag in a provider as somebody saw it.
public struct FlagsBrowserExpectation: Sendable, Hashable, Codable {
    /// The value, from ``FlagsBrowserAnswer/value``, or `nil` if the provider held none.
    public var value: FlagsBrowserValue?
    /// The time at which the value expires, from ``FlagsBrowserAnswer/expires``, or `nil` if it never does. After that
    /// time, a provider that holds no value also meets the expectation.
    public var expires: Date?

    /// Creates an expectation.
    public init(value: FlagsBrowserValue?, expires: Date? = nil) {
        self.value = value
        self.expires = expires
    }

    /// Returns whether a value is the one that was seen. If either value is shortened, only the parts that both have
    /// are compared.
    func isMet(by present: FlagsBrowserValue?) -> Bool {
        guard let value, let present else { return value == nil && present == nil }
        guard value.kind == present.kind, value.text == present.text else { return false }
        return value.input == nil || present.input == nil || value.input == present.input
    }
}

extension FlagsBrowserRequest: Codable {
    private enum CodingKeys: String, CodingKey {
        case author, expected, expires, edit
    }

    /// Reads the object that ``encode(to:)`` writes. A command alone is also a request.
    ///
    /// - Throws: `DecodingError` if the command is not known or a member is missing or of the wrong type.
    public init(from decoder: any Decoder) throws {
        command = try FlagsBrowserCommand(from: decoder)
        let container = try decoder.container(keyedBy: CodingKeys.self)
        author = try container.decodeIfPresent(FlagsBrowserAuthor.self, forKey: .author)
        expected = try container.decodeIfPresent(FlagsBrowserExpectation.self, forKey: .expected)
        expires = try container.decodeIfPresent(Date.self, forKey: .expires)
        edit = try container.decodeIfPresent(Int.self, forKey: .edit)
    }

    /// Writes the request as a JSON object.
    public func encode(to encoder: any Encoder) throws {
        try command.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(author, forKey: .author)
        try container.encodeIfPresent(expected, forKey: .expected)
        try container.encodeIfPresent(expires, forKey: .expires)
        try container.encodeIfPresent(edit, forKey: .edit)
    }
}

extension FlagsBrowserRequest: FlagValue {}

extension FlagsBrowserAuthor {
    /// The author with a name that is safe to show anywhere: escaped, trimmed, and shortened if it is long.
    var cleaned: FlagsBrowserAuthor {
        let escaped = name.map { String($0.quoted.dropFirst().dropLast()) } ?? ""
        let words = escaped.split(separator: " ").joined(separator: " ")
        let limit = 60
        let short = words.count > limit ? words.prefix(limit - 1) + "…" : words
        return FlagsBrowserAuthor(id: String(id.prefix(200)), name: short.isEmpty ? nil : short)
    }
}
