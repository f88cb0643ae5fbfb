extension Optional: FlagValue where Wrapped: FlagValue {
    /// Creates `nil` from null, and a wrapped value from any other value.
    ///
    /// A value that the wrapped type refuses never becomes `nil`, and neither does an unparsed text, even if it is
    /// empty or the word "null". For an optional of an optional, null is the outer `nil`.
    public init(encoded: EncodedFlagValue) throws(FlagValueError) {
        if case .null = encoded { self = nil } else { self = try Wrapped(encoded: encoded) }
    }

    /// The neutral form of the wrapped value, or ``EncodedFlagValue/null`` for `nil`.
    ///
    /// - Throws: ``FlagValueError`` if the neutral form of the wrapped value is null, because decoding it would return
    ///   `nil`. An example is the inner `nil` of an `Int??`.
    public var encoded: EncodedFlagValue {
        get throws(FlagValueError) {
            guard let encoded = try self?.encoded else { return .null }
            let detail = "an optional cannot hold a value that is null, which would come back as nil; use nil itself"
            guard encoded != .null else { throw .encoding(Self.self, detail: detail) }
            return encoded
        }
    }

    /// `true`, because null is `nil`.
    public static var takesNull: Bool { true }
}

extension Array: FlagValue where Element: FlagValue {
    /// Creates an array from an encoded array, or from an unparsed text that contains a JSON array. The path of an error
    /// has the index of the refused element.
    public init(encoded: EncodedFlagValue) throws(FlagValueError) {
        guard case .array(let values) = try encoded.parsed(expecting: "an array") else {
            throw FlagValueError(expected: "an array", found: encoded)
        }
        self = try values.enumerated().map { (index, value) throws(FlagValueError) in
            do throws(FlagValueError) { return try Element(encoded: value) } catch {
                throw error.nested(in: String(index))
            }
        }
    }

    /// The elements as ``EncodedFlagValue/array(_:)``. The path of an error has the index of the element.
    public var encoded: EncodedFlagValue {
        get throws(FlagValueError) {
            let values = try enumerated().map { (index, element) throws(FlagValueError) in
                do throws(FlagValueError) { return try element.encoded } catch {
                    throw error.nested(in: String(index))
                }
            }
            return .array(values)
        }
    }
}

extension Dictionary: FlagValue where Key == String, Value: FlagValue {
    /// Creates a dictionary from an encoded object, or from an unparsed text that contains a JSON object. The path of an
    /// error has the key of the refused member.
    public init(encoded: EncodedFlagValue) throws(FlagValueError) {
        guard case .object(let members) = try encoded.parsed(expecting: "an object") else {
            throw FlagValueError(expected: "an object", found: encoded)
        }
        self = [:]
        reserveCapacity(members.count)
        for (key, member) in members {
            do { self[key] = try Value(encoded: member) } catch { throw error.nested(in: key) }
        }
    }

    /// The members as ``EncodedFlagValue/object(_:)``. The path of an error has the key of the member.
    public var encoded: EncodedFlagValue {
        get throws(FlagValueError) {
            var members: [String: EncodedFlagValue] = [:]
            members.reserveCapacity(count)
            for (key, value) in self {
                do { members[key] = try value.encoded } catch { throw error.nested(in: key) }
            }
            return .object(members)
        }
    }
}
