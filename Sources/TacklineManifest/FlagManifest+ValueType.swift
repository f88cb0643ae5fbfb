public import TacklineCore

extension FlagManifest {
    /// The type of a flag's values, with its bounds.
    public struct ValueType: Sendable, Hashable {
        /// The sort of a value. ``any`` is for a type whose form is not known.
        public enum Kind: String, Sendable, Hashable, CaseIterable {
            case boolean, integer, number, string, data, date, url, uuid, array, object, any
        }

        /// The sort of the value.
        public var kind: Kind
        /// The name of the type in Swift; empty where that is not known. For people: nothing depends on it.
        public var name: String
        /// Whether the flag can be `nil`, for which ``/TacklineCore/EncodedFlagValue/null`` stands.
        public var isOptional: Bool
        /// The least and the greatest integer; `nil` where there is no bound, or none that `Int128` can hold.
        public var range: ClosedRange<Int128>?
        /// The values of an enum's cases, in the order of the cases; `nil` where any value of the kind is taken.
        public var cases: [EncodedFlagValue]?
        /// The bounds of the declaration that neither ``range`` nor ``cases`` holds; `nil` if there are none.
        package var bounds: EncodedFlagBounds?
        /// None or one: an array, so that the type can hold itself.
        private var elements: [ValueType]

        /// Of what type the elements of an array, or the members of an object, are; `nil` where that is not known.
        public var element: ValueType? {
            get { elements.first }
            set { elements = newValue.map { [$0] } ?? [] }
        }

        /// Makes a type.
        package init(
            _ kind: Kind, name: String = "", isOptional: Bool = false, range: ClosedRange<Int128>? = nil,
            cases: [EncodedFlagValue]? = nil, bounds: EncodedFlagBounds? = nil, element: ValueType? = nil
        ) {
            self.kind = kind
            self.name = name
            self.isOptional = isOptional
            self.range = range
            self.cases = cases
            self.bounds = bounds
            elements = element.map { [$0] } ?? []
        }

        /// The type as it reads in a sentence: "an integer from 0 to 255", "one of "light", "dark"".
        public var phrase: String {
            if let cases {
                let shown = cases.prefix(20).map(\.description).joined(separator: ", ")
                return "one of \(shown)" + (cases.count > 20 ? " or \(cases.count - 20) more" : "")
            }
            if let bounds { return bounds.phrase }
            return switch kind {
            case .boolean: "a Boolean"
            case .integer: range.map { "an integer from \($0.lowerBound) to \($0.upperBound)" } ?? "an integer"
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
