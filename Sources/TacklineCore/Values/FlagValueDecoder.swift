/// Decodes any `Decodable` type from the neutral form, without a text in between.
struct FlagValueDecoder: Decoder {
    /// How many levels of values in values the coders follow, so that neither a hostile document nor a structure that
    /// contains itself exhausts the stack.
    static let maximumDepth = 64
    static let tooDeep = "the value is nested more than \(maximumDepth) levels deep"

    let value: EncodedFlagValue
    let codingPath: [any CodingKey]
    let depth: Int
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// Decodes a whole value.
    static func decode<Value: Decodable>(
        _ type: Value.Type,
        from encoded: EncodedFlagValue
    ) throws(FlagValueError) -> Value {
        do {
            return try FlagValueDecoder(value: encoded, codingPath: [], depth: 0).decode(type)
        } catch {
            throw FlagValueError(error, decoding: type, from: encoded)
        }
    }

    /// Decodes a value from what stands here.
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        if let plain = type as? any PlainFlagValue.Type {
            do {
                if let value = try plain.init(encoded: value) as? Value { return value }
            } catch {
                throw mismatch(type, error)
            }
        }
        return try type.init(from: nested(value, key: nil))
    }

    /// The decoder one level further in.
    func nested(_ value: EncodedFlagValue, key: (any CodingKey)?) throws -> FlagValueDecoder {
        let path = key.map { codingPath + [$0] } ?? codingPath
        guard depth < Self.maximumDepth else {
            throw DecodingError.dataCorrupted(.init(codingPath: path, debugDescription: Self.tooDeep))
        }
        return FlagValueDecoder(value: value, codingPath: path, depth: depth + 1)
    }

    /// The standard error for a mismatch, with ours inside.
    func mismatch(_ type: Any.Type, _ error: FlagValueError) -> DecodingError {
        let context = DecodingError.Context(
            codingPath: codingPath,
            debugDescription: error.description,
            underlyingError: error
        )
        return value == .null ? .valueNotFound(type, context) : .typeMismatch(type, context)
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(FlagValueKeyedDecoding(decoder: self, members: try members()))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        FlagValueUnkeyedDecoding(decoder: self, elements: try elements())
    }

    func singleValueContainer() -> any SingleValueDecodingContainer {
        FlagValueSingleDecoding(decoder: self)
    }

    func members() throws -> [String: EncodedFlagValue] {
        try parsed([String: EncodedFlagValue].self, expecting: "an object") {
            if case .object(let members) = $0 { members } else { nil }
        }
    }

    func elements() throws -> [EncodedFlagValue] {
        try parsed([EncodedFlagValue].self, expecting: "an array") {
            if case .array(let elements) = $0 { elements } else { nil }
        }
    }

    private func parsed<Content>(
        _ type: Content.Type,
        expecting expected: String,
        _ content: (EncodedFlagValue) -> Content?
    ) throws -> Content {
        do throws(FlagValueError) {
            if let content = content(try value.parsedIfText(expecting: expected)) { return content }
            throw FlagValueError(expected: expected, found: value)
        } catch {
            throw mismatch(type, error)
        }
    }
}
