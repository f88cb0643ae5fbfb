/// Encodes any `Encodable` type to the neutral form, without a text in between.
struct FlagValueEncoder: Encoder {
    let node: FlagValueEncodingNode
    let codingPath: [any CodingKey]
    let depth: Int
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// Encodes a whole value.
    static func encode<Value: Encodable>(_ value: Value) throws(FlagValueError) -> EncodedFlagValue {
        let node = FlagValueEncodingNode()
        do {
            try FlagValueEncoder(node: node, codingPath: [], depth: 0).encode(value)
            return try node.value(path: [])
        } catch {
            throw FlagValueError(error, encoding: Value.self)
        }
    }

    /// Encodes a value as what stands here.
    func encode<Value: Encodable>(_ value: Value) throws {
        if let plain = value as? any PlainFlagValue {
            do {
                node.content = .value(try plain.encoded)
            } catch {
                let context = EncodingError.Context(
                    codingPath: codingPath,
                    debugDescription: error.description,
                    underlyingError: error
                )
                throw EncodingError.invalidValue(value, context)
            }
            return
        }
        guard depth < FlagValueDecoder.maximumDepth else {
            let context = EncodingError.Context(codingPath: codingPath, debugDescription: FlagValueDecoder.tooDeep)
            throw EncodingError.invalidValue(value, context)
        }
        try value.encode(to: FlagValueEncoder(node: node, codingPath: codingPath, depth: depth + 1))
    }

    /// The encoder of a member or an element.
    ///
    /// Beyond the greatest depth the node is marked, since the containers' methods that ask for this cannot throw.
    func nested(_ child: FlagValueEncodingNode, key: any CodingKey) -> FlagValueEncoder {
        guard depth < FlagValueDecoder.maximumDepth else {
            node.content = .tooDeep
            // The path stays as it is, or a structure without end would take quadratic time.
            return FlagValueEncoder(node: child, codingPath: codingPath, depth: depth)
        }
        return FlagValueEncoder(node: child, codingPath: codingPath + [key], depth: depth + 1)
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        node.becomeObject()
        return KeyedEncodingContainer(FlagValueKeyedEncoding(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        node.becomeArray()
        return FlagValueUnkeyedEncoding(encoder: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        FlagValueSingleEncoding(encoder: self)
    }
}
