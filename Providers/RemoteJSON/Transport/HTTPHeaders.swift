/// Header fields, in order, whose names are compared without regard to the case of ASCII letters.
public struct HTTPHeaders: Sendable, Hashable {
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

    /// The value of the field with this name, `nil` if there is none; several are joined by `, ` as RFC 9110 has it.
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

    /// Adds a field behind the others, also where there is one of that name.
    public mutating func append(name: String, value: String) {
        fields.append(Field(name: name, value: value))
    }

    mutating func removeLast() {
        fields.removeLast()
    }

    /// How many bytes the fields take on the wire in HTTP/1.1.
    public var byteCount: Int {
        fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
    }

    /// Returns only the fields whose name in lower case is in the set.
    func keeping(_ names: Set<String>) -> HTTPHeaders {
        var result = HTTPHeaders()
        result.fields = fields.filter { names.contains($0.name.lowercased()) }
        return result
    }

    private static func isSame(_ left: String, _ right: String) -> Bool {
        left.utf8.count == right.utf8.count && left.lowercased() == right.lowercased()
    }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
    /// Makes a list in the order of the literal.
    public init(dictionaryLiteral elements: (String, String)...) {
        for (name, value) in elements { append(name: name, value: value) }
    }
}
