public import TacklineCore

/// A JSON object as the value of a flag, with its members by path, as RealFlags' class of this name.
///
/// ```swift
/// @Flag(default: JSONData()) var layout: JSONData
/// let columns: Int? = flags.layout.valueForKey("grid.columns")
/// ```
///
/// A `Codable` struct says what the members are, and is the better choice where that is known.
public struct JSONData: FlagValue, Hashable {
    /// The members.
    public var members: [String: EncodedFlagValue]

    /// Makes an object.
    public init(_ members: [String: EncodedFlagValue] = [:]) { self.members = members }

    /// Makes an object of a text; `nil` if it is not a JSON object.
    public init?(jsonString: String) {
        guard let object = try? JSONData(encoded: .unparsed(jsonString)) else { return nil }
        self = object
    }

    /// Takes an object, or an untyped text or data that is one in JSON.
    ///
    /// - Throws: ``/TacklineCore/FlagValueError`` for anything else.
    public init(encoded: EncodedFlagValue) throws(FlagValueError) {
        let value: EncodedFlagValue?
        switch encoded {
        case .unparsed(let text): value = try? FlagJSONReader().read(text)
        case .data(let data): value = try? FlagJSONReader().read(data)
        default: value = encoded
        }
        guard case .object(let members)? = value else {
            throw FlagValueError(expected: "a JSON object", found: encoded)
        }
        self.members = members
    }

    /// The object.
    public var encoded: EncodedFlagValue { .object(members) }

    /// Returns the member at a path whose names are joined by full stops, or `nil` if there is none or it is of another type.
    public func valueForKey<Value: FlagValue>(_ keyPath: String) -> Value? {
        let key = FlagKeyPath(keyPath, separator: ".")
        return FlagDocument(members).value(for: key).flatMap { try? Value(encoded: $0) }
    }
}
