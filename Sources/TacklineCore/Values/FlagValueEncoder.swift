/// Encodes any `Encodable` type to the neutral form, without text in between.
///
/// It is its own single-value container; of several values that are encoded into that, the last one counts.
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

    /// Encodes a value into ``node``. Not generic, for the reason that ``FlagValueDecoder`` gives.
    private func encodeAny(_ value: any Encodable) throws {
        guard let plain = value as? any PlainFlagValue else {
            guard depth < EncodedFlagValue.maximumDepth else { throw refusal(of: value, EncodedFlagValue.tooDeep, nil) }
            return try value.encode(to: FlagValueEncoder(node: node, codingPath: codingPath, depth: depth + 1))
        }
        do throws(FlagValueError) {
            node.content = .value(try plain.encoded)
        } catch {
            throw refusal(of: value, error.description, error)
        }
    }

    func encodeNil() { node.content = .value(.null) }
    func encode<Value: Encodable>(_ value: Value) throws { try encodeAny(value) }
    func encode(_ value: Int128) throws { try encodeAny(value) }
    func encode(_ value: UInt128) throws { try encodeAny(value) }

    private func refusal(of value: any Encodable, _ reason: String, _ cause: FlagValueError?) -> EncodingError {
        .invalidValue(value, .init(codingPath: codingPath, debugDescription: reason, underlyingError: cause))
    }

    func encode(_ value: any Encodable, in child: FlagValueNode, key: any CodingKey) throws {
        try FlagValueEncoder(node: child, codingPath: codingPath + [key], depth: depth).encodeAny(value)
    }

    /// Returns the encoder of a member or an element.
    ///
    /// Beyond the maximum depth it marks the node, since the methods of containers that call it cannot throw.
    func nested(_ child: FlagValueNode, key: any CodingKey) -> FlagValueEncoder {
        guard depth < EncodedFlagValue.maximumDepth else {
            node.content = .tooDeep
            // The path does not grow, or an endless structure would take quadratic time.
            return FlagValueEncoder(node: child, codingPath: codingPath, depth: depth)
        }
        return FlagValueEncoder(node: child, codingPath: codingPath + [key], depth: depth + 1)
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        node.become(.object([:]))
        return KeyedEncodingContainer(FlagValueKeyedEncoding(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        node.become(.array([]))
        return FlagValueUnkeyedEncoding(encoder: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }
}

/// A value that is being encoded.
///
/// A class, because a container may be kept, and filled after the next one was requested.
final class FlagValueNode {
    enum Content {
        case nothing
        case value(EncodedFlagValue)
        case array([FlagValueNode])
        case object([String: FlagValueNode])
        case tooDeep
    }

    var content = Content.nothing

    /// Becomes an array or an object. One that it is already keeps its parts: a type may request its container twice.
    func become(_ container: Content) {
        switch (content, container) {
        case (.array, .array), (.object, .object), (.tooDeep, _): break
        default: content = container
        }
    }

    var count: Int { if case .array(let elements) = content { elements.count } else { 0 } }

    /// Adds a member, in place of one with the same key.
    func member(_ key: any CodingKey) -> FlagValueNode {
        let node = FlagValueNode()
        guard case .object(var members) = content else { return node }
        content = .nothing  // so that the dictionary is not copied
        members[key.stringValue] = node
        content = .object(members)
        return node
    }

    func element() -> FlagValueNode {
        let node = FlagValueNode()
        guard case .array(var elements) = content else { return node }
        content = .nothing  // so that the array is not copied
        elements.append(node)
        content = .array(elements)
        return node
    }

    /// Returns what was encoded: an empty object if a type encoded nothing at all.
    ///
    /// The recursion ends at the maximum depth, beyond which the encoder links no nodes.
    func value(path: [String]) throws(FlagValueError) -> EncodedFlagValue {
        switch content {
        case .nothing: return .object([:])
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

// The generic methods satisfy the other requirements too, except for those of 128 bits, whose defaults always throw.

private struct FlagValueKeyedEncoding<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: FlagValueEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }

    func encodeNil(forKey key: Key) { encoder.node.member(key).content = .value(.null) }
    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws { try encodeMember(value, key) }
    func encode(_ value: Int128, forKey key: Key) throws { try encodeMember(value, key) }
    func encode(_ value: UInt128, forKey key: Key) throws { try encodeMember(value, key) }

    private func encodeMember(_ value: any Encodable, _ key: any CodingKey) throws {
        try encoder.encode(value, in: encoder.node.member(key), key: key)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        nested(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { nested(key).unkeyedContainer() }
    func superEncoder() -> any Encoder { nested(FlagValueCodingKey.superclass) }
    func superEncoder(forKey key: Key) -> any Encoder { nested(key) }

    private func nested(_ key: any CodingKey) -> FlagValueEncoder { encoder.nested(encoder.node.member(key), key: key) }
}

private struct FlagValueUnkeyedEncoding: UnkeyedEncodingContainer {
    let encoder: FlagValueEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }
    var count: Int { encoder.node.count }

    func encodeNil() { encoder.node.element().content = .value(.null) }
    func encode<Value: Encodable>(_ value: Value) throws { try encodeElement(value) }
    func encode(_ value: Int128) throws { try encodeElement(value) }
    func encode(_ value: UInt128) throws { try encodeElement(value) }

    private func encodeElement(_ value: any Encodable) throws {
        let key = FlagValueCodingKey(intValue: count)
        try encoder.encode(value, in: encoder.node.element(), key: key)
    }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        nested().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { nested().unkeyedContainer() }
    func superEncoder() -> any Encoder { nested() }

    private func nested() -> FlagValueEncoder {
        let key = FlagValueCodingKey(intValue: count)
        return encoder.nested(encoder.node.element(), key: key)
    }
}
