public import TacklineCore

/// A flag's value as a ``FlagUsageRecord`` keeps it: as JSON in one line, shortened if it is long.
public struct RecordedFlagValue: Sendable, Hashable, CustomStringConvertible {
    /// The maximum size of ``text`` in bytes.
    static let maximumSize = 100

    /// The JSON, or its first 100 bytes if it is longer.
    public let text: String
    /// The hash of the whole text if ``text`` is only a part of it, or if it is no JSON.
    let hash: UInt64?

    /// Creates a record of a value.
    ///
    /// - Parameter value: The value, or `nil` for one that can't be encoded.
    public init(_ value: EncodedFlagValue?) {
        let whole: String
        var isJSON = true
        switch value {
        case .bool(let value)?: whole = value ? "true" : "false"
        case .integer(let value)?: whole = "\(value)"
        case let value?:
            if let text = try? FlagJSONWriter(layout: .compact).text(of: value) {
                whole = text
            } else {
                // JSON has no infinities, for example.
                (whole, isJSON) = ("\(value)", false)
            }
        case nil: (whole, isJSON) = ("a value that can't be encoded", false)
        }
        let isWhole = isJSON && whole.utf8.count <= Self.maximumSize
        text = isWhole ? whole : Self.beginning(of: whole)
        hash = isWhole ? nil : Self.hash(of: whole.utf8)
    }

    private init(text: String, hash: UInt64) {
        self.text = Self.beginning(of: text)
        self.hash = hash
    }

    /// Whether ``text`` is only the beginning of the value, or describes a value that JSON doesn't have.
    public var isShortened: Bool { hash != nil }

    /// The value as JSON has it, where data and dates are strings; `nil` if it is shortened.
    public var value: EncodedFlagValue? { hash == nil ? try? FlagJSONReader().read(text) : nil }

    /// The text, with an ellipsis if it is shortened.
    public var description: String { isShortened ? text + "…" : text }

    // MARK: JSON

    /// The members of the value's object in a file.
    var members: [String: EncodedFlagValue] {
        guard let hash else { return ["value": value ?? .null] }
        return ["beginning": .string(text), "hash": .string(String(hash, radix: 16))]
    }

    /// Reads the value of an object, or returns `nil` if it has none.
    init?(_ members: [String: EncodedFlagValue]) {
        if let value = members["value"] {
            self.init(value)
        } else if case .string(let text)? = members["beginning"], case .string(let hash)? = members["hash"],
            let hash = UInt64(hash, radix: 16)
        {
            self.init(text: text, hash: hash)
        } else {
            return nil
        }
    }

    // MARK: Texts

    /// Returns as much of a text as takes at most ``maximumSize`` bytes.
    private static func beginning(of text: String) -> String {
        guard text.utf8.count > maximumSize else { return text }
        var size = 0
        let end = text.unicodeScalars.indices.first { index in
            size += UTF8.width(text.unicodeScalars[index])
            return size > maximumSize
        }
        return String(text.unicodeScalars[..<(end ?? text.endIndex)])
    }

    /// Returns the 64-bit FNV-1a hash of bytes (G. Fowler, L. Noll, K.-P. Vo, 1991).
    private static func hash(of bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
    }
}
