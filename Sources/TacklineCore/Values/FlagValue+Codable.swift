import TacklineFoundation

extension FlagValue where Self: Codable {
    /// Creates a value from its neutral form with the type's `init(from:)`, as `JSONDecoder` does.
    ///
    /// Dates are strings in the form of RFC 3339, and data is a string in base64. An unparsed text is parsed as JSON if it
    /// is JSON, and taken as a string otherwise.
    ///
    /// - Throws: ``FlagValueError`` with the path of the refused part, or for a value nested more than
    ///   ``EncodedFlagValue/maximumDepth`` levels deep.
    public init(encoded: EncodedFlagValue) throws(FlagValueError) {
        var value = encoded
        if case .unparsed(let text) = encoded { value = (try? FlagJSONReader().read(text)) ?? encoded }
        let json = try FlagJSONWriter(layout: .compact).data(of: value)
        do { self = try Self.decoded(json) } catch {
            throw Self.refusalOfNumber(in: value, error) ?? FlagValueError(error, decoding: Self.self, from: value)
        }
    }

    /// The neutral form of the value, created with the type's `encode(to:)`, as `JSONEncoder` does.
    ///
    /// - Throws: ``FlagValueError`` if `encode(to:)` throws, for NaN and the infinities, and for a value nested more than
    ///   ``EncodedFlagValue/maximumDepth`` levels deep.
    public var encoded: EncodedFlagValue {
        get throws(FlagValueError) {
            let encoder = JSONEncoder()
            encoder.dateEncodingStrategy = .custom { date, encoder in
                try FlagTimestamp.text(of: date).encode(to: encoder)
            }
            do { return try FlagJSONReader().read(encoder.encode(self)) } catch {
                throw FlagValueError(error, encoding: Self.self)
            }
        }
    }

    private static func decoded(_ json: Data) throws -> Self {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { try Date(text: $0) }
        decoder.dataDecodingStrategy = .custom { try Data(text: $0) }
        return try decoder.decode(Self.self, from: json)
    }
}

// MARK: Errors

extension FlagValueError {
    /// Creates an error from one that an `init(from:)` threw.
    ///
    /// - Parameter root: The whole value that was decoded.
    fileprivate init(_ error: any Error, decoding decodedType: Any.Type, from root: EncodedFlagValue) {
        let (context, missing, type): (DecodingError.Context, (any CodingKey)?, Any.Type)
        switch error {
        case let error as FlagValueError:
            self = error
            return
        case DecodingError.keyNotFound(let key, let place): (context, missing, type) = (place, key, decodedType)
        case DecodingError.typeMismatch(let expected, let place), DecodingError.valueNotFound(let expected, let place):
            (context, missing, type) = (place, nil, expected)
        case DecodingError.dataCorrupted(let place): (context, missing, type) = (place, nil, decodedType)
        default:
            self.init(expected: "a value of type \(decodedType)", found: root, detail: String(describing: error))
            return
        }
        let path = names(of: context.codingPath)
        let found = root.value(at: path[...])
        if let missing {
            self.init(expected: "a member \(EncodedFlagValue.quoted(missing.stringValue))", found: found, path: path)
        } else if type != decodedType, let refusal = (type as? any FlagValue.Type)?.refusal(of: found) {
            // A basic type says best what it expects.
            self = refusal
            self.path = path + refusal.path
        } else if type is [String: Any].Type || type is [Any].Type {
            self.init(expected: type is [Any].Type ? "an array" : "an object", found: found, path: path)
        } else {
            self.init(expected: "a value of type \(type)", found: found, path: path, detail: context.debugDescription)
        }
    }

    /// Creates an error from one that an `encode(to:)` threw, or from one of reading what it wrote.
    fileprivate init(_ error: any Error, encoding type: Any.Type) {
        switch error {
        case let error as FlagValueError: self = error
        case let error as FlagJSONError: self = .encoding(type, path: error.path, detail: error.message)
        case EncodingError.invalidValue(_, let context):
            self = .encoding(type, path: names(of: context.codingPath), detail: context.debugDescription)
        default: self = .encoding(type, detail: String(describing: error))
        }
    }
}

private func names(of path: [any CodingKey]) -> [String] { path.map { $0.intValue.map(String.init) ?? $0.stringValue } }

extension FlagValue where Self: Codable {
    /// Returns the error for a number that its type can't hold, or `nil` if `error` has another cause.
    ///
    /// `JSONDecoder` does not say which number it is. With zeros in place of the first numbers, the others are decoded if
    /// no further one is wrong, so a binary search finds the last wrong one.
    fileprivate static func refusalOfNumber(in root: EncodedFlagValue, _ error: any Error) -> FlagValueError? {
        guard case DecodingError.dataCorrupted(let context) = error, context.codingPath.isEmpty else { return nil }
        var numbers: [(found: EncodedFlagValue, path: [String])] = []
        func isDecoded(without count: Int) -> Bool {
            numbers = []
            let value = root.mapNumbers { number, path in
                numbers.append((number, path))
                if numbers.count <= count { number = 0 }
            }
            return (try? decoded(FlagJSONWriter(layout: .compact).data(of: value))) != nil
        }
        guard isDecoded(without: .max) else { return nil }
        var (wrong, right) = (0, numbers.count)
        while right - wrong > 1 {
            let middle = (wrong + right) / 2
            if isDecoded(without: middle) { right = middle } else { wrong = middle }
        }
        let (found, path) = numbers[right - 1]
        return FlagValueError(expected: "a number that its type can hold", found: found, path: path)
    }
}

extension FlagValue {
    /// Creates a value from the string of a decoder, as a flag of the type takes it.
    fileprivate init(text decoder: any Decoder) throws {
        guard let value = try? Self(encoded: .string(String(from: decoder))) else {
            throw DecodingError.typeMismatch(Self.self, .init(codingPath: decoder.codingPath, debugDescription: ""))
        }
        self = value
    }

    /// Returns the error with which the type refuses a value, or `nil` if it takes it.
    fileprivate static func refusal(of value: EncodedFlagValue) -> FlagValueError? {
        do { _ = try Self(encoded: value) } catch { return error }
        return nil
    }
}

extension EncodedFlagValue {
    /// Returns the value after a change of its numbers, which `change` gets with their paths, in the order of the keys.
    fileprivate func mapNumbers(
        at path: [String] = [], _ change: (inout EncodedFlagValue, [String]) -> Void
    ) -> EncodedFlagValue {
        var value = self
        switch self {
        case .integer, .double: change(&value, path)
        case .array(let elements):
            value = .array(elements.enumerated().map { $1.mapNumbers(at: path + [String($0)], change) })
        case .object(var members):
            for key in Array(members.keys).sorted() {
                members[key] = members[key]?.mapNumbers(at: path + [key], change)
            }
            value = .object(members)
        default: break
        }
        return value
    }

    /// The value at `path`, or the innermost value along it.
    fileprivate func value(at path: ArraySlice<String>) -> EncodedFlagValue {
        guard let name = path.first else { return self }
        switch self {
        case .object(let members): return members[name]?.value(at: path.dropFirst()) ?? self
        case .array(let elements):
            guard let index = Int(name), elements.indices.contains(index) else { return self }
            return elements[index].value(at: path.dropFirst())
        default: return self
        }
    }
}
