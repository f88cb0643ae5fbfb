package import TacklineCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// Foundation: the bounds of dates.

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
            cases: [EncodedFlagValue]? = nil, element: ValueType? = nil
        ) {
            self.kind = kind
            self.name = name
            self.isOptional = isOptional
            self.cases = cases
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
