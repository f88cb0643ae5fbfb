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
    /// - Throws: ``FlagValueError`` with the path of the refused part, or for a value nested more than
    ///   ``EncodedFlagValue/maximumDepth`` levels deep.
    public init(encoded: EncodedFlagValue) throws(FlagValueError) {
        var value = encoded
        if case .unparsed(let text) = encoded { value = (try? FlagJSONReader().read(text)) ?? encoded }
        let json = try FlagJSONWriter(layout: .compact).data(of: value)
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            guard let date = FlagTimestamp.date(from: try String(from: decoder)) else {
                throw DecodingError.typeMismatch(
                    Date.self, .init(codingPath: decoder.codingPath, debugDescription: "it is not a date"))
            }
            return date
        }
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

// MARK: Errors

extension FlagValueError {
    /// Creates an error from one that an `init(from:)` threw.
    ///
    /// - Parameter root: The whole value that was decoded.
    fileprivate init(_ error: any Error, decoding decodedType: Any.Type, from root: EncodedFlagValue) {
        switch error {
        case let error as FlagValueError: self = error
        case DecodingError.keyNotFound(let key, let context):
            self.init(
                expected: "a member \(EncodedFlagValue.quoted(key.stringValue))",
                found: root.value(at: context.codingPath), path: context.codingPath.map(\.stringValue))
        case DecodingError.typeMismatch(let type, let context), DecodingError.valueNotFound(let type, let context):
            let (found, path) = (root.value(at: context.codingPath), context.codingPath.map(\.stringValue))
            // A basic type says best what it expects.
            if type != decodedType, let error = (type as? any FlagValue.Type)?.refusal(of: found) {
                self = error
                self.path = path + error.path
            } else if type is [String: Any].Type {
                self.init(expected: "an object", found: found, path: path)
            } else if type is [Any].Type {
                self.init(expected: "an array", found: found, path: path)
            } else {
                self.init(
                    expected: "a value of type \(type)", found: found, path: path, detail: context.debugDescription)
            }
        case DecodingError.dataCorrupted(let context):
            self.init(
                expected: "a value of type \(decodedType)", found: root.value(at: context.codingPath),
                path: context.codingPath.map(\.stringValue), detail: context.debugDescription)
        default: self.init(expected: "a value of type \(decodedType)", found: root, detail: String(describing: error))
        }
    }

    /// Creates an error from one that an `encode(to:)` threw, or from one of reading what it wrote.
    fileprivate init(_ error: any Error, encoding type: Any.Type) {
        switch error {
        case let error as FlagValueError: self = error
        case let error as FlagJSONError:
            let detail = error.code == .tooDeep ? EncodedFlagValue.tooDeep : error.message
            self = .encoding(type, path: error.path, detail: detail)
        case EncodingError.invalidValue(_, let context):
            self = .encoding(type, path: context.codingPath.map(\.stringValue), detail: context.debugDescription)
        default: self = .encoding(type, path: [], detail: String(describing: error))
        }
    }
}

extension FlagValue {
    /// Returns the error with which the type refuses a value, or `nil` if it takes it.
    fileprivate static func refusal(of value: EncodedFlagValue) -> FlagValueError? {
        do { _ = try Self(encoded: value) } catch { return error }
        return nil
    }
}

extension EncodedFlagValue {
    /// Returns the value at `path`, or the innermost existing value along it.
    fileprivate func value(at path: [any CodingKey]) -> EncodedFlagValue {
        var value = self
        for key in path {
            if case .object(let members) = value, let member = members[key.stringValue] {
                value = member
            } else if case .array(let elements) = value, let index = key.intValue, elements.indices.contains(index) {
                value = elements[index]
            } else {
                break
            }
        }
        return value
    }
}
