#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif
public import TacklineCore

// Foundation: the moment at which a value ends.

/// A command with who asks for it and what they saw.
///
/// ```swift
/// let ada = FlagsBrowserAuthor(id: "laptop", name: "Ada")
/// let reply = try await browser.perform(FlagsBrowserRequest(.set(flag: id, to: .text("5")), author: ada))
/// try await browser.perform(FlagsBrowserRequest(.undo(), author: ada, edit: reply.edit))
/// ```
///
/// In JSON it is the object of its command with the further members `author`, `expected`, `expires` and `edit`.
public struct FlagsBrowserRequest: Sendable, Hashable {
    /// What to do.
    public var command: FlagsBrowserCommand
    /// Who asks; `nil` for nobody in particular. An undo takes back edits of the same author only.
    public var author: FlagsBrowserAuthor?
    /// What the destination of a `set` or `reset` held when the author looked. If it holds something else now, nothing is
    /// done, and the error has the code ``FlagsBrowserError/Code/editConflict``, unless the author's own last edit set that.
    /// `nil` for whatever it holds.
    public var expected: FlagsBrowserExpectation?
    /// When the value of a `set` ends by itself; `nil` for never. The destination has to be one that can keep it.
    public var expires: Date?
    /// The number of the edit that an `undo` or `redo` is about, from ``FlagsBrowserReply/edit``; `nil` for the last one of
    /// the author.
    public var edit: Int?
    /// The time at which what the command writes is safe from a crash of the program. The default is
    /// ``/TacklineCore/FlagWriteDurability/stored``; views pass ``/TacklineCore/FlagWriteDurability/deferred``.
    ///
    /// It concerns a browser in the same process only and is not part of the JSON form.
    public var durability = FlagWriteDurability.stored

    /// Creates a request.
    public init(
        _ command: FlagsBrowserCommand, author: FlagsBrowserAuthor? = nil, expected: FlagsBrowserExpectation? = nil,
        expires: Date? = nil, edit: Int? = nil, durability: FlagWriteDurability = .stored
    ) {
        self.command = command
        self.author = author
        self.expected = expected
        self.expires = expires
        self.edit = edit
        self.durability = durability
    }
}

/// Who edits.
public struct FlagsBrowserAuthor: Sendable, Hashable, Codable {
    /// Tells authors apart: one for each browser, device or person. Whoever knows it can undo the author's edits.
    public var id: String
    /// The name for people, as they entered it; `nil` if they gave none.
    public var name: String?

    /// Makes an author.
    public init(id: String, name: String? = nil) {
        self.id = id
        self.name = name
    }
}

/// What somebody saw that a provider holds for a flag.
public struct FlagsBrowserExpectation: Sendable, Hashable, Codable {
    /// The value, from ``FlagsBrowserAnswer/value``; `nil` if it held nothing.
    public var value: FlagsBrowserValue?

    /// Makes an expectation.
    public init(value: FlagsBrowserValue?) {
        self.value = value
    }

    /// Whether a value is the one that was seen. Where either is shortened, what is there of both decides.
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

    /// Reads what ``encode(to:)`` writes. A command alone is a request too.
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

    /// Writes the object.
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
    /// The author with a name that is safe to show anywhere: escaped, without blanks around it, and cut where it is long.
    var cleaned: FlagsBrowserAuthor {
        let escaped = name.map { String($0.quoted.dropFirst().dropLast()) } ?? ""
        let words = escaped.split(separator: " ").joined(separator: " ")
        let limit = 60
        let short = words.count > limit ? words.prefix(limit - 1) + "…" : words
        return FlagsBrowserAuthor(id: String(id.prefix(200)), name: short.isEmpty ? nil : short)
    }
}
