extension FlagValue where Self: Codable {
    /// Creates a value from its neutral form with the type's `init(from:)`.
    ///
    /// Nested Booleans, numbers, `Decimal` among them, strings, dates, data, URLs and UUIDs are decoded by their ``FlagValue`` conformances,
    /// and all other types by their `Codable` conformances. If elements or members are needed, an unparsed text is
    /// parsed as JSON.
    ///
    /// - Throws: ``FlagValueError`` with the path of the refused part, or for a value nested more than
    ///   ``EncodedFlagValue/maximumDepth`` levels deep.
    public init(encoded: EncodedFlagValue) throws(FlagValueError) {
        do {
            self = try FlagValueDecoder(value: encoded, codingPath: [], depth: 0).decode(Self.self)
        } catch {
            throw FlagValueError(error, decoding: Self.self, from: encoded)
        }
    }

    /// The neutral form of the value, created with the type's `encode(to:)`.
    ///
    /// - Throws: ``FlagValueError`` if `encode(to:)` throws, or for a value nested more than
    ///   ``EncodedFlagValue/maximumDepth`` levels deep.
    public var encoded: EncodedFlagValue {
        get throws(FlagValueError) {
            do { return try FlagValueEncoder.encode(self) } catch { throw FlagValueError(error, encoding: Self.self) }
        }
    }
}

/// A decoder that reads `Decodable` types directly from the neutral form.
///
/// Most of its code is not generic. `Codable` requires the same method for twenty types in three containers, and
/// compiling a generic method for each of them would take ten times the space.
struct FlagValueDecoder: Decoder, SingleValueDecodingContainer {
    let value: EncodedFlagValue
    let codingPath: [any CodingKey]
    let depth: Int
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try decodeValue(type) }

    // The overloads of `decode(_:)` below would call themselves.
    func decodeValue<Value: Decodable>(_ type: Value.Type) throws -> Value {
        guard let value = try decodeAny(type) as? Value else { throw unexpectedTypeError(type) }
        return value
    }

    // The generic method satisfies the requirements for other types. For these two types, the default implementations
    // of the standard library always throw.
    func decode(_ type: Int128.Type) throws -> Int128 { try decodeValue(type) }
    func decode(_ type: UInt128.Type) throws -> UInt128 { try decodeValue(type) }

    func decodeNil() -> Bool { value == .null }

    func decodeAny(_ type: any Decodable.Type) throws -> Any {
        guard let plainType = type as? any PlainFlagValue.Type else {
            return try type.init(from: nestedDecoder(for: value, key: nil))
        }
        do throws(FlagValueError) {
            return try plainType.init(encoded: value)
        } catch {
            throw decodingError(type, error)
        }
    }

    /// Returns a decoder for a member or an element at the depth of this decoder. `decodeAny(_:)` increases the depth.
    func decoder(for value: EncodedFlagValue, key: any CodingKey) -> FlagValueDecoder {
        FlagValueDecoder(value: value, codingPath: codingPath + [key], depth: depth)
    }

    /// Returns a decoder for a value one level below.
    ///
    /// - Parameter key: The key that is appended to the coding path, or `nil` to keep the path.
    func nestedDecoder(for value: EncodedFlagValue, key: (any CodingKey)?) throws -> FlagValueDecoder {
        let path = key.map { codingPath + [$0] } ?? codingPath
        guard depth < EncodedFlagValue.maximumDepth else {
            throw DecodingError.dataCorrupted(.init(codingPath: path, debugDescription: EncodedFlagValue.tooDeep))
        }
        return FlagValueDecoder(value: value, codingPath: path, depth: depth + 1)
    }

    /// Returns an error for a decoded value that is not of type `type`. It can't occur and replaces a forced cast.
    func unexpectedTypeError(_ type: Any.Type) -> any Error {
        decodingError(type, FlagValueError(expected: "a value of type \(type)", found: value))
    }

    // Custom `init(from:)` implementations expect a `DecodingError`.
    private func decodingError(_ type: Any.Type, _ error: FlagValueError) -> DecodingError {
        let context = DecodingError.Context(
            codingPath: codingPath, debugDescription: error.description, underlyingError: error)
        return value == .null ? .valueNotFound(type, context) : .typeMismatch(type, context)
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(FlagValueKeyedDecoding<Key>(members: try memberDecoder()))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        do throws(FlagValueError) {
            return FlagValueUnkeyedDecoding(decoder: self, elements: try value.elements())
        } catch {
            throw decodingError([EncodedFlagValue].self, error)
        }
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    private func memberDecoder() throws -> FlagValueMemberDecoder {
        do throws(FlagValueError) {
            return FlagValueMemberDecoder(decoder: self, members: try value.members())
        } catch {
            throw decodingError([String: EncodedFlagValue].self, error)
        }
    }
}

/// The coding key of an array's element, or of a superclass.
struct FlagValueCodingKey: CodingKey {
    let stringValue: String
    private(set) var intValue: Int?

    init(stringValue: String) { self.stringValue = stringValue }
    init(intValue: Int) { (stringValue, self.intValue) = (String(intValue), intValue) }

    static let superclass = FlagValueCodingKey(stringValue: "super")
}

// MARK: Objects

// Not generic over the type of the key, so that the code is compiled once.
private struct FlagValueMemberDecoder {
    let decoder: FlagValueDecoder
    let members: [String: EncodedFlagValue]

    func value(for key: any CodingKey) throws -> EncodedFlagValue {
        guard let member = members[key.stringValue] else {
            let description = "there is no member \"\(key.stringValue)\""
            throw DecodingError.keyNotFound(key, .init(codingPath: decoder.codingPath, debugDescription: description))
        }
        return member
    }

    func decoder(for key: any CodingKey) throws -> FlagValueDecoder {
        decoder.decoder(for: try value(for: key), key: key)
    }

    func nestedDecoder(for key: any CodingKey) throws -> FlagValueDecoder {
        try decoder.nestedDecoder(for: try value(for: key), key: key)
    }

    /// Returns a decoder for the superclass. Its value is null if there is no such member.
    func superDecoder(for key: any CodingKey) throws -> any Decoder {
        try decoder.nestedDecoder(for: members[key.stringValue] ?? .null, key: key)
    }
}

private struct FlagValueKeyedDecoding<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let members: FlagValueMemberDecoder

    var codingPath: [any CodingKey] { members.decoder.codingPath }
    var allKeys: [Key] { members.members.keys.compactMap(Key.init(stringValue:)) }

    func contains(_ key: Key) -> Bool { members.members[key.stringValue] != nil }
    func decodeNil(forKey key: Key) throws -> Bool { try members.value(for: key) == .null }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try members.decoder(for: key).decode(type)
    }

    // The default implementations for these two types always throw.
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try members.decoder(for: key).decode(type) }
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try members.decoder(for: key).decode(type) }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try members.nestedDecoder(for: key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try members.nestedDecoder(for: key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { try members.superDecoder(for: FlagValueCodingKey.superclass) }
    func superDecoder(forKey key: Key) throws -> any Decoder { try members.superDecoder(for: key) }
}

// MARK: Arrays

// After a failure, the index stays at the same element, as `Codable` requires.
private struct FlagValueUnkeyedDecoding: UnkeyedDecodingContainer {
    let decoder: FlagValueDecoder
    let elements: [EncodedFlagValue]
    private(set) var currentIndex = 0

    var codingPath: [any CodingKey] { decoder.codingPath }
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex == elements.count }

    mutating func decodeNil() throws -> Bool {
        guard try nextElement(Void.self) == .null else { return false }
        currentIndex += 1
        return true
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try decodeElement(type) }

    // The default implementations for these two types always throw.
    mutating func decode(_ type: Int128.Type) throws -> Int128 { try decodeElement(type) }
    mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try decodeElement(type) }

    private mutating func decodeElement<Value: Decodable>(_ type: Value.Type) throws -> Value {
        guard let value = try decodeAnyElement(type) as? Value else { throw decoder.unexpectedTypeError(type) }
        return value
    }

    private mutating func decodeAnyElement(_ type: any Decodable.Type) throws -> Any {
        let key = FlagValueCodingKey(intValue: currentIndex)
        let value = try decoder.decoder(for: try nextElement(type), key: key).decodeAny(type)
        currentIndex += 1
        return value
    }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy: Nested.Type) throws -> KeyedDecodingContainer<Nested> {
        try withNestedDecoder { try $0.container(keyedBy: keyedBy) }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try withNestedDecoder { try $0.unkeyedContainer() }
    }

    mutating func superDecoder() throws -> any Decoder { try withNestedDecoder { $0 } }

    private mutating func withNestedDecoder<Result>(_ body: (FlagValueDecoder) throws -> Result) throws -> Result {
        let key = FlagValueCodingKey(intValue: currentIndex)
        let result = try body(try decoder.nestedDecoder(for: try nextElement(Void.self), key: key))
        currentIndex += 1
        return result
    }

    private func nextElement(_ type: Any.Type) throws -> EncodedFlagValue {
        guard currentIndex < elements.count else {
            let description = "the array has only \(elements.count) elements"
            throw DecodingError.valueNotFound(type, .init(codingPath: codingPath, debugDescription: description))
        }
        return elements[currentIndex]
    }
}
