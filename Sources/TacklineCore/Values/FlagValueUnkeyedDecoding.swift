/// The elements of an array, in order. An element that is refused stays the next one.
struct FlagValueUnkeyedDecoding: UnkeyedDecodingContainer {
    let decoder: FlagValueDecoder
    let elements: [EncodedFlagValue]
    private(set) var currentIndex = 0

    init(decoder: FlagValueDecoder, elements: [EncodedFlagValue]) {
        self.decoder = decoder
        self.elements = elements
    }

    var codingPath: [any CodingKey] { decoder.codingPath }
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex == elements.count }

    mutating func decodeNil() throws -> Bool {
        guard try next(Void.self) == .null else { return false }
        currentIndex += 1
        return true
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try decodeElement(type)
    }

    private mutating func decodeElement<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let path = codingPath + [FlagValueCodingKey(intValue: currentIndex)]
        let here = FlagValueDecoder(value: try next(type), codingPath: path, depth: decoder.depth)
        let value = try here.decode(type)
        currentIndex += 1
        return value
    }

    // These have a default that always throws.
    mutating func decode(_ type: Int128.Type) throws -> Int128 { try decodeElement(type) }
    mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try decodeElement(type) }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
        let container = try nested().container(keyedBy: type)
        currentIndex += 1
        return container
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let container = try nested().unkeyedContainer()
        currentIndex += 1
        return container
    }

    mutating func superDecoder() throws -> any Decoder {
        let decoder = try nested()
        currentIndex += 1
        return decoder
    }

    private func nested() throws -> FlagValueDecoder {
        try decoder.nested(try next(Void.self), key: FlagValueCodingKey(intValue: currentIndex))
    }

    private func next(_ type: Any.Type) throws -> EncodedFlagValue {
        guard currentIndex < elements.count else {
            let description = "the array has only \(elements.count) elements"
            throw DecodingError.valueNotFound(type, .init(codingPath: codingPath, debugDescription: description))
        }
        return elements[currentIndex]
    }
}
