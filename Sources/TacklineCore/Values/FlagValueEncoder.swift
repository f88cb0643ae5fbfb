/// An encoder that writes `Encodable` types directly to the neutral form.
///
/// The encoder is also its single-value container. If several values are encoded into it, the last one is used.
struct FlagValueEncoder: Encoder, SingleValueEncodingContainer {
    let node: FlagValueNode
    let codingPath: [any CodingKey]
    let depth: Int
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    static func encode(_ value: any Encodable) throws -> EncodedFlagValue {
        let node = FlagValueNode()
        try FlagValueEncoder(node: node, codingPath: [], depth: 0).encodeAny(value)
        return try node.value(path: [])
    }

    // Not generic, to save space. See `FlagValueDecoder`.
    private func encodeAny(_ value: any Encodable) throws {
        guard let plainValue = value as? any PlainFlagValue else {
            guard depth < EncodedFlagValue.maximumDepth else {
                throw encodingError(value, EncodedFlagValue.tooDeep, nil)
            }
            return try value.encode(to: FlagValueEncoder(node: node, codingPath: codingPath, depth: depth + 1))
        }
        do throws(FlagValueError) {
            node.content = .value(try plainValue.encoded)
        } catch {
            throw encodingError(value, error.description, error)
        }
    }

    func encodeNil() { node.content = .value(.null) }
    func encode<Value: Encodable>(_ value: Value) throws { try encodeAny(value) }
    func encode(_ value: Int128) throws { try encodeAny(value) }
    func encode(_ value: UInt128) throws { try encodeAny(value) }

    private func encodingError(_ value: any Encodable, _ reason: String, _ cause: FlagValueError?) -> EncodingError {
        .invalidValue(value, .init(codingPath: codingPath, debugDescription: reason, underlyingError: cause))
    }

    func encode(_ value: any Encodable, in child: FlagValueNode, key: any CodingKey) throws {
        try FlagValueEncoder(node: child, codingPath: codingPath + [key], depth: depth).encodeAny(value)
    }

    /// Returns the encoder of a member or an element.
    ///
    /// Beyond the maximum depth, the method marks ``node``, because the container methods that call it can't throw.
    func nestedEncoder(for child: FlagValueNode, key: any CodingKey) -> FlagValueEncoder {
        guard depth < EncodedFlagValue.maximumDepth else {
            node.content = .tooDeep
            // The path stays the same because extending it takes quadratic time for an endless structure.
            return FlagValueEncoder(node: child, codingPath: codingPath, depth: depth)
        }
        return FlagValueEncoder(node: child, codingPath: codingPath + [key], depth: depth + 1)
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        node.makeContainer(.object([:]))
        return KeyedEncodingContainer(FlagValueKeyedEncoding(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        node.makeContainer(.array([]))
        return FlagValueUnkeyedEncoding(encoder: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }
}

/// A value that is being encoded.
///
/// It is a class because a type can keep a container and add to it after it has requested another one.
final class FlagValueNode {
    enum Content {
        case empty
        case value(EncodedFlagValue)
        case array([FlagValueNode])
        case object([String: FlagValueNode])
        case tooDeep
    }

    var content = Content.empty

    /// Sets the content to an empty container. A container of the same kind is kept, since a type can request it twice.
    func makeContainer(_ container: Content) {
        switch (content, container) {
        case (.array, .array), (.object, .object), (.tooDeep, _): break
        default: content = container
        }
    }

    var count: Int { if case .array(let elements) = content { elements.count } else { 0 } }

    /// Adds a member and returns its node. A member with the same key is replaced.
    func addMember(for key: any CodingKey) -> FlagValueNode {
        let node = FlagValueNode()
        guard case .object(var members) = content else { return node }
        content = .empty  // So that the dictionary is not copied.
        members[key.stringValue] = node
        content = .object(members)
        return node
    }

    func addElement() -> FlagValueNode {
        let node = FlagValueNode()
        guard case .array(var elements) = content else { return node }
        content = .empty  // So that the array is not copied.
        elements.append(node)
        content = .array(elements)
        return node
    }

    /// Returns the encoded value, or an empty object if the type encoded nothing.
    ///
    /// The recursion ends at the maximum depth because the encoder adds no nodes beyond it.
    func value(path: [String]) throws(FlagValueError) -> EncodedFlagValue {
        switch content {
        case .empty: return .object([:])
        case .value(let value): return value
        case .tooDeep: throw .encoding(EncodedFlagValue.self, path: path, detail: EncodedFlagValue.tooDeep)
        case .array(let elements):
            var values: [EncodedFlagValue] = []
            values.reserveCapacity(elements.count)
            for element in elements { values.append(try element.value(path: path + [String(values.count)])) }
            return .array(values)
        case .object(let members):
            var values: [String: EncodedFlagValue] = [:]
            values.reserveCapacity(members.count)
            for (key, member) in members { values[key] = try member.value(path: path + [key]) }
            return .object(values)
        }
    }
}

// The generic methods satisfy the requirements for other types. For the 128-bit integers, the default implementations
// of the standard library always throw.

private struct FlagValueKeyedEncoding<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: FlagValueEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }

    func encodeNil(forKey key: Key) { encoder.node.addMember(for: key).content = .value(.null) }
    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws { try encodeMember(value, key) }
    func encode(_ value: Int128, forKey key: Key) throws { try encodeMember(value, key) }
    func encode(_ value: UInt128, forKey key: Key) throws { try encodeMember(value, key) }

    private func encodeMember(_ value: any Encodable, _ key: any CodingKey) throws {
        try encoder.encode(value, in: encoder.node.addMember(for: key), key: key)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        nestedEncoder(for: key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        nestedEncoder(for: key).unkeyedContainer()
    }
    func superEncoder() -> any Encoder { nestedEncoder(for: FlagValueCodingKey.superclass) }
    func superEncoder(forKey key: Key) -> any Encoder { nestedEncoder(for: key) }

    private func nestedEncoder(for key: any CodingKey) -> FlagValueEncoder {
        encoder.nestedEncoder(for: encoder.node.addMember(for: key), key: key)
    }
}

private struct FlagValueUnkeyedEncoding: UnkeyedEncodingContainer {
    let encoder: FlagValueEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }
    var count: Int { encoder.node.count }

    func encodeNil() { encoder.node.addElement().content = .value(.null) }
    func encode<Value: Encodable>(_ value: Value) throws { try encodeElement(value) }
    func encode(_ value: Int128) throws { try encodeElement(value) }
    func encode(_ value: UInt128) throws { try encodeElement(value) }

    private func encodeElement(_ value: any Encodable) throws {
        let key = FlagValueCodingKey(intValue: count)
        try encoder.encode(value, in: encoder.node.addElement(), key: key)
    }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        nestedEncoder().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { nestedEncoder().unkeyedContainer() }
    func superEncoder() -> any Encoder { nestedEncoder() }

    private func nestedEncoder() -> FlagValueEncoder {
        let key = FlagValueCodingKey(intValue: count)
        return encoder.nestedEncoder(for: encoder.node.addElement(), key: key)
    }
}
