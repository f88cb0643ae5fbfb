/// Header fields in order. Their names are compared without regard to the case of ASCII letters.
public struct HTTPTransportHeaders: Sendable, Hashable {
    /// One header field.
    public struct Field: Sendable, Hashable {
        /// The name as it was written.
        public var name: String
        /// The value; may be empty.
        public var value: String

        /// Makes a field.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The fields in order.
    public private(set) var fields: [Field] = []

    /// Makes an empty list.
    public init() {}

    /// The value of the field with this name, or `nil` if there is none. Several values are joined by `, ` (RFC 9110).
    ///
    /// Setting replaces all fields of the name; setting `nil` removes them.
    public subscript(name: String) -> String? {
        get {
            let values = fields.filter { Self.isSame($0.name, name) }.map(\.value)
            return values.isEmpty ? nil : values.joined(separator: ", ")
        }
        set {
            fields.removeAll { Self.isSame($0.name, name) }
            if let newValue { append(name: name, value: newValue) }
        }
    }

    /// Adds a field at the end, even if there is one of that name.
    public mutating func append(name: String, value: String) {
        fields.append(Field(name: name, value: value))
    }

    /// The number of bytes that the fields take in HTTP/1.1.
    public var byteCount: Int {
        fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
    }

    /// Returns only the fields whose name in lower case is in the set.
    package func keeping(_ names: Set<String>) -> HTTPTransportHeaders {
        var result = HTTPTransportHeaders()
        result.fields = fields.filter { names.contains($0.name.lowercased()) }
        return result
    }

    private static func isSame(_ left: String, _ right: String) -> Bool {
        left.utf8.count == right.utf8.count && left.lowercased() == right.lowercased()
    }
}

extension HTTPTransportHeaders: ExpressibleByDictionaryLiteral {
    /// Makes a list in the order of the literal.
    public init(dictionaryLiteral elements: (String, String)...) {
        for (name, value) in elements { append(name: name, value: value) }
    }
}

/// The header of an answer, assembled line by line.
struct HTTPHeaderLines {
    /// The status of the current answer; 0 before the first status line and after a malformed one.
    private(set) var status = 0
    private(set) var headers = HTTPTransportHeaders()
    /// The bytes of all lines so far, including interim answers and trailers.
    private(set) var byteCount = 0
    /// Whether the header of a final answer is complete. Later lines are trailers, which are dropped.
    private(set) var isComplete = false

    /// Adds the next line, with or without its line end.
    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        byteCount += bytes.count
        guard !isComplete else { return }
        let line = bytes.prefix { $0 != 0x0D && $0 != 0x0A }
        if line.starts(with: "HTTP/".utf8) {
            status = Self.status(String(decoding: line, as: UTF8.self))
            headers = HTTPTransportHeaders()
        } else if line.isEmpty {
            // 1xx are interim answers; the final one follows.
            isComplete = status >= 200
        } else if line.first == 0x20 || line.first == 0x09 {
            headers.appendToLast(String(decoding: line, as: UTF8.self))
        } else if let colon = line.firstIndex(of: UInt8(ascii: ":")) {
            headers.append(
                name: Self.trimmed(line[..<colon]),
                value: Self.trimmed(line[(colon + 1)...])
            )
        }
    }

    private static func status(_ line: String) -> Int {
        let parts = line.split(separator: " ", maxSplits: 2)
        return parts.count > 1 ? Int(parts[1]) ?? 0 : 0
    }

    private static func trimmed(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> String {
        let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
        let start = bytes.drop(while: isBlank)
        let end = start.lastIndex { !isBlank($0) }
        return end.map { String(decoding: start[...$0], as: UTF8.self) } ?? ""
    }
}

extension HTTPTransportHeaders {
    /// Continues the value of the last field (RFC 9112, section 5.2: obsolete line folding).
    fileprivate mutating func appendToLast(_ text: String) {
        guard !fields.isEmpty else { return }
        fields[fields.count - 1].value += " \(text.drop { $0 == " " || $0 == "\t" })"
    }
}
