public import TacklineCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// Foundation: its types can be those of flags.

extension FlagManifest.ValueType {
    /// Converts a value as the flag's type does, exactly or not at all.
    ///
    /// The members that a flag's own `Codable` type requires are not checked.
    ///
    /// - Parameter value: Any value. ``/TacklineCore/EncodedFlagValue/null`` is taken by every type, since it means "no
    ///   opinion" where the flag is not optional.
    /// - Returns: The value in the form in which the type writes it: the number 3.0 becomes the integer 3 for an
    ///   integer flag, an untyped text what it says.
    /// - Throws: ``/TacklineCore/FlagValueError``, with the same words as the type's own conversion.
    public func normalized(_ value: EncodedFlagValue) throws(FlagValueError) -> EncodedFlagValue {
        guard value != .null else { return .null }
        var normal: EncodedFlagValue
        do throws(FlagValueError) {
            normal = try withoutBounds(value)
        } catch {
            guard error.path.isEmpty, cases != nil || range != nil || bounds != nil else { throw error }
            throw FlagValueError(expected: phrase, found: value)
        }
        if case .integer(let number) = normal, let range, !range.contains(number) {
            throw FlagValueError(expected: phrase, found: value)
        }
        if let bounds, !bounds.contains(normal) { throw FlagValueError(expected: phrase, found: value) }
        if let cases {
            guard let match = cases.first(where: { FlagManifest.ValueType.carrySame($0, normal) }) else {
                throw FlagValueError(expected: phrase, found: value)
            }
            normal = match
        }
        return normal
    }

    private func withoutBounds(_ value: EncodedFlagValue) throws(FlagValueError) -> EncodedFlagValue {
        switch kind {
        case .boolean: return try Bool(encoded: value).encoded
        case .integer: return try Int128(encoded: value).encoded
        case .number: return try Double(encoded: value).encoded
        case .string: return try String(encoded: value).encoded
        case .data: return try Data(encoded: value).encoded
        case .date: return try Date(encoded: value).encoded
        case .url: return try URL(encoded: value).encoded
        case .uuid: return try UUID(encoded: value).encoded
        case .any: return value
        case .array:
            let elements = try [EncodedFlagValue](encoded: value)
            guard let element else { return .array(elements) }
            var normal: [EncodedFlagValue] = []
            for (position, value) in elements.enumerated() {
                do {
                    normal.append(try element.normalizedPart(value))
                } catch {
                    throw error.nested(in: String(position))
                }
            }
            return .array(normal)
        case .object:
            let members = try [String: EncodedFlagValue](encoded: value)
            guard let element else { return .object(members) }
            var normal: [String: EncodedFlagValue] = [:]
            for (name, value) in members {
                do {
                    normal[name] = try element.normalizedPart(value)
                } catch {
                    throw error.nested(in: name)
                }
            }
            return .object(normal)
        }
    }

    /// Inside a value null is no opinion but a value, which only an optional takes.
    private func normalizedPart(_ value: EncodedFlagValue) throws(FlagValueError) -> EncodedFlagValue {
        if value == .null, !isOptional, kind != .any { throw FlagValueError(expected: phrase, found: value) }
        return try normalized(value)
    }

    /// Whether two values are the same, or differ only in what JSON cannot carry: dates and data become strings.
    private static func carrySame(_ listed: EncodedFlagValue, _ value: EncodedFlagValue) -> Bool {
        if listed == value { return true }
        let writer = FlagJSONWriter(layout: .compact)
        guard let left = try? writer.bytes(of: listed), let right = try? writer.bytes(of: value) else { return false }
        return left == right
    }
}
