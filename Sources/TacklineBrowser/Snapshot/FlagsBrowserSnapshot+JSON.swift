public import TacklineCore

extension FlagsBrowserSnapshot: FlagValue {}
extension FlagsBrowserFlag: FlagValue {}
extension FlagsBrowserControl: FlagValue {}

extension FlagsBrowserJSON {
    /// Returns a snapshot as JSON on one line.
    ///
    /// A test compares it with the text of an encoder, which has the members in another order. Terminals wait for it,
    /// and an encoder takes seventeen times as long for ten thousand flags.
    package static func text(of snapshot: FlagsBrowserSnapshot) throws(FlagsBrowserError) -> String {
        var rest = snapshot
        rest.flags = []
        var writer = SnapshotWriter()
        for flag in snapshot.flags { try writer.add(flag) }
        // The members of the rest follow those of the flags.
        let others = try SnapshotWriter.encoded(rest).replacing("\"flags\":[],", with: "", maxReplacements: 1)
        return "{\"flags\":[" + writer.text + "]," + others.dropFirst()
    }
}

/// A writer of flags. Parts that many flags have in common are encoded once.
private struct SnapshotWriter {
    private(set) var text = ""
    private var controls: [FlagsBrowserControl: String] = [:]
    private var metadata: [FlagsBrowserMetadata: String] = [:]
    private var values: [FlagsBrowserValue: String] = [:]
    private var sources: [FlagSource: String] = [:]
    private var absent: [String: String] = [:]
    private var strings: [String: String] = [:]

    mutating func add(_ flag: FlagsBrowserFlag) throws(FlagsBrowserError) {
        text += text.isEmpty ? "{\"id\":" : ",{\"id\":"
        try add(flag.id)
        text += ",\"name\":"
        try add(flag.name)
        text += ",\"key\":"
        try add(flag.key)
        text += ",\"property\":"
        try add(flag.property)
        text += ",\"description\":"
        try add(flag.description)
        try add(",\"section\":", flag.section)
        try add(",\"group\":", flag.group)
        try add(",\"type\":", flag.type)
        try add(",\"rule\":", flag.rule)
        try add(",\"reason\":", flag.reason)
        try add(",\"variant\":", flag.variant)
        text += ",\"control\":"
        text += try Self.shared(flag.control, &controls)
        text += ",\"metadata\":"
        text += try Self.shared(flag.metadata, &metadata)
        text += ",\"source\":"
        text += try Self.shared(flag.source, &sources)
        try add(",\"declaredDefault\":", flag.declaredDefault)
        try add(",\"defaultValue\":", flag.defaultValue)
        try add(",\"value\":", flag.value)
        try add(",\"scoped\":", flag.scoped)
        try add(",\"computed\":", flag.computed)
        text += ",\"isOptional\":\(flag.isOptional),\"isOverridden\":\(flag.isOverridden)"
        text += ",\"isChangedFromDefault\":\(flag.isChangedFromDefault),\"isPinned\":\(flag.isPinned)"
        text += ",\"isExpired\":\(flag.isExpired)"
        if let refusal = flag.refusal {
            try add(",\"refusal\":{\"code\":", refusal.code.rawValue)
            text += ",\"message\":"
            try add(refusal.message)
            text += "}"
        }
        text += ",\"answers\":["
        var isFirst = true
        for answer in flag.answers {
            if !isFirst { text += "," }
            isFirst = false
            if answer.outcome == .absent, let known = absent[answer.provider], answer.isBare {
                text += known
            } else {
                let encoded = try Self.encoded(answer)
                if answer.isBare { absent[answer.provider] = encoded }
                text += encoded
            }
        }
        text += "]}"
    }

    private mutating func add(_ name: String, _ value: FlagsBrowserValue?) throws(FlagsBrowserError) {
        guard let value else { return }
        text += name
        // Values that no other flag has would only fill the memory, and equal ones may be secret or not.
        text +=
            value.isSecret == nil && value.text.utf8.count < 40
            ? try Self.shared(value, &values) : try Self.encoded(value)
    }

    /// Adds a member with a text that many flags share.
    private mutating func add(_ name: String, _ string: String?) throws(FlagsBrowserError) {
        guard let string else { return }
        text += name
        text += try Self.shared(string, &strings)
    }

    /// Adds a text in quotes.
    private mutating func add(_ string: String) throws(FlagsBrowserError) {
        if string.utf8.contains(where: { $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }) {
            text += try Self.encoded(string)
        } else {
            text += "\""
            text += string
            text += "\""
        }
    }

    /// Returns a part of a message as JSON, through an encoder.
    static func encoded(_ part: some Codable & Sendable) throws(FlagsBrowserError) -> String {
        String(try FlagsBrowserJSON.text(of: Held(part: part)).dropFirst(Held<String>.prefix.count).dropLast())
    }

    private struct Held<Part: Codable & Sendable>: Codable, FlagValue {
        let part: Part
        static var prefix: String { "{\"part\":" }
    }

    private static func shared<Part: Codable & Sendable & Hashable>(
        _ part: Part, _ known: inout [Part: String]
    ) throws(FlagsBrowserError) -> String {
        if let text = known[part] { return text }
        let text = try Self.encoded(part)
        if known.count < 1000 { known[part] = text }
        return text
    }
}

extension FlagsBrowserAnswer {
    /// Whether the provider has no value, and nothing to say about it.
    fileprivate var isBare: Bool { self == FlagsBrowserAnswer(provider: provider, outcome: .absent) }
}
