package import TacklineCore

import TacklineFoundation

// Foundation: its types can be those of flags.

extension FlagManifest {
    /// The type of a flag's values, or of a part of them, with its bounds.
    package struct ValueType: Sendable, Equatable {
        /// The sort of a value. ``any`` is for a type whose form is not known.
        package enum Kind: String, Sendable, CaseIterable {
            case boolean, integer, number, string, data, date, url, uuid, array, object, any
        }

        package var kind: Kind
        /// The name of the type in Swift; empty where that is not known. For people: nothing depends on it.
        package var name: String
        /// Whether it can be `nil`, for which ``/TacklineCore/EncodedFlagValue/null`` stands, and as a member be left out.
        package var isOptional: Bool
        /// The least and the greatest value as JSON carries them; `nil` where there are no bounds.
        package var minimum: EncodedFlagValue?
        package var maximum: EncodedFlagValue?
        /// The pattern that matches the whole of a text.
        package var pattern: String?
        /// The values of an enum's cases, in the order of the cases; `nil` where any value of the kind is taken.
        package var cases: [EncodedFlagValue]?
        /// The types of an object's members by name; `nil` where they are not known. Other members are ignored.
        package var members: [String: ValueType]?
        /// None or one: an array, so that the type can hold itself.
        private var elements: [ValueType]

        /// The type of an array's elements, or of an object's members if they all have one; `nil` where it is not known.
        package var element: ValueType? {
            get { elements.first }
            set { elements = newValue.map { [$0] } ?? [] }
        }

        package init() { self.init(.any) }

        package init(
            _ kind: Kind, name: String = "", isOptional: Bool = false, range: ClosedRange<Int128>? = nil,
            cases: [EncodedFlagValue]? = nil, element: ValueType? = nil, members: [String: ValueType]? = nil
        ) {
            (self.kind, self.name, self.isOptional) = (kind, name, isOptional)
            (self.cases, self.members) = (cases, members)
            elements = element.map { [$0] } ?? []
            minimum = range.map { .integer($0.lowerBound) }
            maximum = range.map { .integer($0.upperBound) }
        }

        /// The bounds of an integer; `nil` where there are none.
        package var range: ClosedRange<Int128>? {
            guard kind == .integer, case (.integer(let least)?, .integer(let most)?) = (minimum, maximum) else {
                return nil
            }
            return least <= most ? least...most : nil
        }

        /// The bounds of the values; `nil` if there are none.
        package var bounds: EncodedFlagBounds? {
            if let pattern { return .matching(pattern) }
            guard let minimum, let maximum else { return nil }
            return .range(minimum: normal(minimum), maximum: normal(maximum))
        }

        /// Returns a date in place of its text in JSON.
        func normal(_ value: EncodedFlagValue) -> EncodedFlagValue {
            kind == .date ? (try? Date(encoded: value).encoded) ?? value : value
        }

        /// The type as it reads in a sentence: "an integer from 0 to 255", "one of "light", "dark"".
        package var phrase: String {
            if let cases { return EncodedFlagValue.phrase(forOneOf: cases) }
            if let range { return "an integer from \(range.lowerBound) to \(range.upperBound)" }
            if let bounds { return bounds.phrase }
            return switch kind {
            case .boolean: "a Boolean"
            case .integer: "an integer"
            case .number: "a number"
            case .string: "a string"
            case .data: "data in base64"
            case .date: "a date in the form of RFC 3339"
            case .url: "a URL"
            case .uuid: "a UUID"
            case .array: "an array"
            case .object: "an object"
            case .any: "any value"
            }
        }
    }
}

extension FlagManifest.ValueType {
    /// Converts a value as the flag's type does, exactly or not at all.
    ///
    /// - Parameter value: Any value. ``/TacklineCore/EncodedFlagValue/null`` is taken by every type, since it means "no
    ///   opinion" where the flag is not optional.
    /// - Returns: The value in the form in which the type writes it: the number 3.0 becomes the integer 3 for an
    ///   integer flag, an untyped text what it says.
    /// - Throws: ``/TacklineCore/FlagValueError``, with the same words as the type's own conversion.
    package func normalized(_ value: EncodedFlagValue) throws(FlagValueError) -> EncodedFlagValue {
        guard value != .null else { return .null }
        let normal: EncodedFlagValue
        do throws(FlagValueError) {
            normal = try withoutBounds(value)
        } catch {
            guard error.path.isEmpty, cases != nil || bounds != nil else { throw error }
            throw FlagValueError(expected: phrase, found: value)
        }
        if let bounds, !bounds.contains(normal) { throw FlagValueError(expected: phrase, found: value) }
        guard let cases else { return normal }
        guard let match = cases.first(where: { ((try? withoutBounds($0)) ?? $0) == normal }) else {
            throw FlagValueError(expected: phrase, found: value)
        }
        return match
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
                do { normal.append(try element.normalizedPart(value)) } catch {
                    throw error.nested(in: String(position))
                }
            }
            return .array(normal)
        case .object:
            let values = try [String: EncodedFlagValue](encoded: value)
            var normal = values
            for (name, type) in members ?? [:] where values[name] == nil && !type.isOptional {
                throw FlagValueError(expected: "a member \(EncodedFlagValue.quoted(name))", found: value)
            }
            for (name, value) in values {
                guard let type = members?[name] ?? element else { continue }
                do { normal[name] = try type.normalizedPart(value) } catch { throw error.nested(in: name) }
            }
            return .object(normal)
        }
    }

    /// Inside a value null is no opinion but a value, which only an optional takes.
    private func normalizedPart(_ value: EncodedFlagValue) throws(FlagValueError) -> EncodedFlagValue {
        if value == .null, !isOptional, kind != .any { throw FlagValueError(expected: phrase, found: value) }
        return try normalized(value)
    }
}

extension EncodedFlagBounds {
    /// Returns whether a value is within the bounds, as far as its encoded form shows.
    func contains(_ value: EncodedFlagValue) -> Bool {
        switch (self, value) {
        case (.range(.integer(let minimum), .integer(let maximum)), .integer(let number)):
            return minimum <= number && number <= maximum
        case (.range(.string(let minimum), .string(let maximum)), .string(let text)):
            return minimum <= text && text <= maximum
        case (.range(.date(let minimum), .date(let maximum)), .date(let date)):
            return minimum <= date && date <= maximum
        case (.range(let minimum, let maximum), _):
            guard let least = try? Double(encoded: minimum), let greatest = try? Double(encoded: maximum),
                let number = try? Double(encoded: value)
            else { return true }
            return least <= number && number <= greatest
        case (.matching(let pattern), .string(let text)): return EncodedFlagBounds.pattern(pattern, matches: text)
        default: return true
        }
    }
}
