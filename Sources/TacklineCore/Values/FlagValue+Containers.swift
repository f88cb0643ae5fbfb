extension Optional: FlagValue where Wrapped: FlagValue {
    /// Takes null as `nil` and anything else as the wrapped type does; a mismatch never becomes `nil`.
    ///
    /// An untyped text is never `nil`, not even an empty one or the word "null". Of an optional of an optional, null is
    /// the outer `nil`.
    ///
    /// - Throws: ``FlagValueError`` from the wrapped type.
    public init(encoded: EncodedFlagValue) throws(FlagValueError) {
        if case .null = encoded { self = nil } else { self = try Wrapped(encoded: encoded) }
    }

    /// ``EncodedFlagValue/null`` for `nil`, else the neutral form of the wrapped value.
    ///
    /// - Throws: ``FlagValueError`` for a wrapped value that is null itself and would come back as `nil`: an inner `nil`.
    public var encoded: EncodedFlagValue {
        get throws(FlagValueError) {
            guard let encoded = try self?.encoded else { return .null }
            guard encoded != .null else { throw .encoding(Self.self, path: [], detail: FlagValueError.innerNull) }
            return encoded
        }
    }

    /// `true`: null is `nil`.
    public static var takesNull: Bool { true }
}

extension Array: FlagValue where Element: FlagValue {
    /// Takes an array, every element of it, or an untyped text that is one in JSON.
    ///
    /// - Throws: ``FlagValueError`` with the index of the first element that is refused.
    public init(encoded: EncodedFlagValue) throws(FlagValueError) {
        let values = try encoded.elements()
        self = []
        reserveCapacity(values.count)
        for value in values {
            do { append(try Element(encoded: value)) } catch { throw error.nested(in: String(count)) }
        }
    }

    /// ``EncodedFlagValue/array(_:)``.
    public var encoded: EncodedFlagValue {
        get throws(FlagValueError) {
            var values: [EncodedFlagValue] = []
            values.reserveCapacity(count)
            for element in self {
                do { values.append(try element.encoded) } catch { throw error.nested(in: String(values.count)) }
            }
            return .array(values)
        }
    }
}

extension Dictionary: FlagValue where Key == String, Value: FlagValue {
    /// Takes an object, every member of it, or an untyped text that is one in JSON.
    ///
    /// - Throws: ``FlagValueError`` with the key of a member that is refused.
    public init(encoded: EncodedFlagValue) throws(FlagValueError) {
        let members = try encoded.members()
        self = [:]
        reserveCapacity(members.count)
        for (key, member) in members {
            do { self[key] = try Value(encoded: member) } catch { throw error.nested(in: key) }
        }
    }

    /// ``EncodedFlagValue/object(_:)``.
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

extension EncodedFlagValue {
    /// The elements of an array, or of an untyped text that is an array in JSON.
    func elements() throws(FlagValueError) -> [EncodedFlagValue] {
        guard case .array(let elements) = try parsedIfText(expecting: "an array") else {
            throw FlagValueError(expected: "an array", found: self)
        }
        return elements
    }

    /// The members of an object, or of an untyped text that is an object in JSON.
    func members() throws(FlagValueError) -> [String: EncodedFlagValue] {
        guard case .object(let members) = try parsedIfText(expecting: "an object") else {
            throw FlagValueError(expected: "an object", found: self)
        }
        return members
    }
}
