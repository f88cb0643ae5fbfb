/// Fills in the elements of an array.
struct FlagValueUnkeyedEncoding: UnkeyedEncodingContainer {
    let encoder: FlagValueEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }
    var count: Int { encoder.node.count }

    func encodeNil() {
        encoder.node.element().content = .value(.null)
    }

    func encode<Value: Encodable>(_ value: Value) throws {
        try encodeElement(value)
    }

    // These have a default that always throws.
    func encode(_ value: Int128) throws { try encodeElement(value) }
    func encode(_ value: UInt128) throws { try encodeElement(value) }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        nested().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        nested().unkeyedContainer()
    }

    func superEncoder() -> any Encoder {
        nested()
    }

    private func nested() -> FlagValueEncoder {
        let key = FlagValueCodingKey(intValue: count)
        return encoder.nested(encoder.node.element(), key: key)
    }

    private func encodeElement<Value: Encodable>(_ value: Value) throws {
        let path = codingPath + [FlagValueCodingKey(intValue: count)]
        let node = encoder.node.element()
        try FlagValueEncoder(node: node, codingPath: path, depth: encoder.depth).encode(value)
    }
}
