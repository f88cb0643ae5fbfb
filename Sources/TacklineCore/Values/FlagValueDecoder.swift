extension FlagValue where Self: Codable {
    /// Decodes the value with its `init(from:)`, directly from the neutral form.
    ///
    /// Booleans, numbers, strings, dates, data, URLs and UUIDs inside follow their ``FlagValue`` conformance, everything
    /// else its own `Codable` conformance. Where members or elements are expected, an untyped text is read as JSON.
    ///
    /// - Throws: ``FlagValueError`` with the path of what is refused, also for a value nested more than
    ///   ``EncodedFlagValue/maximumDepth`` levels deep.
    public init(encoded: EncodedFlagValue) throws(FlagValueError) {
        do {
            self = try FlagValueDecoder(value: encoded, codingPath: [], depth: 0).decode(Self.self)
        } catch {
            throw FlagValueError(error, decoding: Self.self, from: encoded)
        }
    }

    /// Encodes the value with its `encode(to:)`, directly to the neutral form.
    ///
    /// - Throws: ``FlagValueError`` for what `encode(to:)` throws, and for a value nested more than
    ///   ``EncodedFlagValue/maximumDepth`` levels deep.
    public var encoded: EncodedFlagValue {
        get throws(FlagValueError) {
            do { return try FlagValueEncoder.encode(self) } catch { throw FlagValueError(error, encoding: Self.self) }
        }
    }
}

/// Decodes any `Decodable` type from the neutral form, without text in between.
///
/// The work is done by code that is not generic: `Codable` requires the same method for twenty types in three containers,
/// and compiling it for each would take ten times the space.
struct FlagValueDecoder: Decoder, SingleValueDecodingContainer {
    let value: EncodedFlagValue
    let codingPath: [any CodingKey]
    let depth: Int
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try decodeOne(type) }

    /// Does what `decode(_:)` does, under another name: the overloads below would call themselves.
    func decodeOne<Value: Decodable>(_ type: Value.Type) throws -> Value {
        guard let value = try decodeAny(type) as? Value else { throw wrongType(type) }
        return value
    }

    // The generic method satisfies the other requirements of containers too. These two have defaults that always throw.
    func decode(_ type: Int128.Type) throws -> Int128 { try decodeOne(type) }
    func decode(_ type: UInt128.Type) throws -> UInt128 { try decodeOne(type) }

    func decodeNil() -> Bool { value == .null }

    func decodeAny(_ type: any Decodable.Type) throws -> Any {
        guard let plain = type as? any PlainFlagValue.Type else { return try type.init(from: nested(value, key: nil)) }
        do throws(FlagValueError) { return try plain.init(encoded: value) } catch { throw mismatch(type, error) }
    }

    /// Returns a decoder for a part, at the same depth: decoding from it adds the level.
    func at(_ key: any CodingKey, _ part: EncodedFlagValue) -> FlagValueDecoder {
        FlagValueDecoder(value: part, codingPath: codingPath + [key], depth: depth)
    }

    func nested(_ value: EncodedFlagValue, key: (any CodingKey)?) throws -> FlagValueDecoder {
        let path = key.map { codingPath + [$0] } ?? codingPath
        guard depth < EncodedFlagValue.maximumDepth else {
            throw DecodingError.dataCorrupted(.init(codingPath: path, debugDescription: EncodedFlagValue.tooDeep))
        }
        return FlagValueDecoder(value: value, codingPath: path, depth: depth + 1)
    }

    /// Returns the error for a decoded value of another type than `type`, which does not happen.
    func wrongType(_ type: Any.Type) -> any Error {
        mismatch(type, FlagValueError(expected: "a value of type \(type)", found: value))
    }

    /// Returns an error as the `DecodingError` that `Codable` types expect.
    private func mismatch(_ type: Any.Type, _ error: FlagValueError) -> DecodingError {
        let context = DecodingError.Context(
            codingPath: codingPath, debugDescription: error.description, underlyingError: error)
        return value == .null ? .valueNotFound(type, context) : .typeMismatch(type, context)
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(FlagValueKeyedDecoding<Key>(members: try members()))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        do throws(FlagValueError) {
            return FlagValueUnkeyedDecoding(decoder: self, elements: try value.elements())
        } catch {
            throw mismatch([EncodedFlagValue].self, error)
        }
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    private func members() throws -> FlagValueMembers {
        do throws(FlagValueError) {
            return FlagValueMembers(decoder: self, members: try value.members())
        } catch {
            throw mismatch([String: EncodedFlagValue].self, error)
        }
    }
}

/// The key of an element or of a superclass.
struct FlagValueCodingKey: CodingKey {
    let stringValue: String
    private(set) var intValue: Int?

    init(stringValue: String) { self.stringValue = stringValue }
    init(intValue: Int) { (stringValue, self.intValue) = (String(intValue), intValue) }

    static let superclass = FlagValueCodingKey(stringValue: "super")
}

// MARK: Objects

/// The part of ``FlagValueKeyedDecoding`` that does not depend on the type of key.
private struct FlagValueMembers {
    let decoder: FlagValueDecoder
    let members: [String: EncodedFlagValue]

    func value(_ key: any CodingKey) throws -> EncodedFlagValue {
        guard let member = members[key.stringValue] else {
            let description = "there is no member \"\(key.stringValue)\""
            throw DecodingError.keyNotFound(key, .init(codingPath: decoder.codingPath, debugDescription: description))
        }
        return member
    }

    func at(_ key: any CodingKey) throws -> FlagValueDecoder { decoder.at(key, try value(key)) }

    func nested(_ key: any CodingKey) throws -> FlagValueDecoder { try decoder.nested(try value(key), key: key) }

    /// Returns a decoder for the superclass; it reads null if there is no such member.
    func superDecoder(_ key: any CodingKey) throws -> any Decoder {
        try decoder.nested(members[key.stringValue] ?? .null, key: key)
    }
}

private struct FlagValueKeyedDecoding<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let members: FlagValueMembers

    var codingPath: [any CodingKey] { members.decoder.codingPath }
    var allKeys: [Key] { members.members.keys.compactMap(Key.init(stringValue:)) }

    func contains(_ key: Key) -> Bool { members.members[key.stringValue] != nil }
    func decodeNil(forKey key: Key) throws -> Bool { try members.value(key) == .null }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try members.at(key).decode(type)
    }

    // These two have defaults that always throw.
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try members.at(key).decode(type) }
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try members.at(key).decode(type) }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try members.nested(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try members.nested(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { try members.superDecoder(FlagValueCodingKey.superclass) }
    func superDecoder(forKey key: Key) throws -> any Decoder { try members.superDecoder(key) }
}

// MARK: Arrays

/// The elements of an array, in order. After a failure the same element is next, as `Codable` requires.
private struct FlagValueUnkeyedDecoding: UnkeyedDecodingContainer {
    let decoder: FlagValueDecoder
    let elements: [EncodedFlagValue]
    private(set) var currentIndex = 0

    var codingPath: [any CodingKey] { decoder.codingPath }
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex == elements.count }

    mutating func decodeNil() throws -> Bool {
        guard try next(Void.self) == .null else { return false }
        currentIndex += 1
        return true
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try element(type) }

    // These two have defaults that always throw.
    mutating func decode(_ type: Int128.Type) throws -> Int128 { try element(type) }
    mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try element(type) }

    private mutating func element<Value: Decodable>(_ type: Value.Type) throws -> Value {
        guard let value = try elementAny(type) as? Value else { throw decoder.wrongType(type) }
        return value
    }

    private mutating func elementAny(_ type: any Decodable.Type) throws -> Any {
        let value = try decoder.at(FlagValueCodingKey(intValue: currentIndex), try next(type)).decodeAny(type)
        currentIndex += 1
        return value
    }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy: Nested.Type) throws -> KeyedDecodingContainer<Nested> {
        try inElement { try $0.container(keyedBy: keyedBy) }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try inElement { try $0.unkeyedContainer() }
    }

    mutating func superDecoder() throws -> any Decoder { try inElement { $0 } }

    private mutating func inElement<Result>(_ body: (FlagValueDecoder) throws -> Result) throws -> Result {
        let key = FlagValueCodingKey(intValue: currentIndex)
        let result = try body(try decoder.nested(try next(Void.self), key: key))
        currentIndex += 1
        return result
    }

    private func next(_ type: Any.Type) throws -> EncodedFlagValue {
        guard currentIndex < elements.count else {
            let description = "the array has only \(elements.count) elements"
            throw DecodingError.valueNotFound(type, .init(codingPath: codingPath, debugDescription: description))
        }
        return elements[currentIndex]
    }
}
