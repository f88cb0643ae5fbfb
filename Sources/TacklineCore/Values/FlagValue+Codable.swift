// The coders of `Codable` types are Foundation's.
#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension FlagValue where Self: Codable {
    /// Creates a value from its neutral form with the type's `init(from:)`, as `JSONDecoder` does.
    ///
    /// Dates are strings in the form of RFC 3339, and data is a string in base64. An unparsed text is parsed as JSON if it
    /// is JSON, and taken as a string otherwise.
    ///
    /// - Throws: ``FlagValueError`` with the path of the refused part, as far as `JSONDecoder` gives it, or for a value
    ///   nested more than ``EncodedFlagValue/maximumDepth`` levels deep.
    public init(encoded: EncodedFlagValue) throws(FlagValueError) {
        var value = encoded
        if case .unparsed(let text) = encoded { value = (try? FlagJSONReader().read(text)) ?? encoded }
        let json = try FlagJSONWriter(layout: .compact).data(of: value)
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { try Date(text: $0) }
        decoder.dataDecodingStrategy = .custom { try Data(text: $0) }
        do { self = try decoder.decode(Self.self, from: json) } catch {
            throw FlagValueError(error, decoding: Self.self, from: value)
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
}

extension FlagValue {
    /// Creates a value from the string of a decoder, as a flag of the type takes it.
    fileprivate init(text decoder: any Decoder) throws {
        do { try self.init(encoded: EncodedFlagValue(from: decoder)) } catch let error as FlagValueError {
            throw FlagValueError(expected: error.expected, found: error.found, path: names(of: decoder.codingPath))
        }
    }
}

// MARK: Errors

extension FlagValueError {
    /// Creates an error from one that an `init(from:)` threw.
    ///
    /// - Parameter root: The whole value that was decoded.
    fileprivate init(_ error: any Error, decoding type: Any.Type, from root: EncodedFlagValue) {
        let (expected, context, detail): (String, DecodingError.Context, String?)
        switch error {
        case let error as FlagValueError:
            self = error
            return
        case DecodingError.keyNotFound(let key, let place):
            (expected, context, detail) = ("a member \(EncodedFlagValue.quoted(key.stringValue))", place, nil)
        case DecodingError.typeMismatch(let part, let place), DecodingError.valueNotFound(let part, let place):
            let container = part is [Any].Type ? "an array" : part is [String: Any].Type ? "an object" : nil
            (expected, context, detail) = (container ?? "a value of type \(part)", place, nil)
        case DecodingError.dataCorrupted(let place):
            // What the writer wrote is valid, but `JSONDecoder` says so of a number that its type can't hold.
            let isNumber = place.debugDescription.contains("not valid JSON")
            let cause = isNumber ? "a number in it is outside of the range of its type" : place.debugDescription
            (expected, context, detail) = ("a value of type \(type)", place, cause)
        default:
            self.init(expected: "a value of type \(type)", found: root, detail: String(describing: error))
            return
        }
        let path = names(of: context.codingPath)
        self.init(expected: expected, found: root.value(at: path), path: path, detail: detail)
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

extension EncodedFlagValue {
    /// The value at `path`, or the innermost value along it.
    fileprivate func value(at path: [String]) -> EncodedFlagValue {
        path.reduce(self) { value, name in
            switch value {
            case .object(let members): members[name] ?? value
            case .array(let elements): Int(name).flatMap { elements.indices.contains($0) ? elements[$0] : nil } ?? value
            default: value
            }
        }
    }
}
