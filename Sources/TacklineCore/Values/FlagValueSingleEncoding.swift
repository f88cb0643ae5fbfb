/// Fills in a value that has no parts of its own. The last one that is encoded counts.
struct FlagValueSingleEncoding: SingleValueEncodingContainer {
    let encoder: FlagValueEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }

    func encodeNil() {
        encoder.node.content = .value(.null)
    }

    func encode<Value: Encodable>(_ value: Value) throws {
        try encoder.encode(value)
    }

    // These have a default that always throws.
    func encode(_ value: Int128) throws { try encoder.encode(value) }
    func encode(_ value: UInt128) throws { try encoder.encode(value) }
}
