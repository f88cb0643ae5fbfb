public import TacklineCore

/// The JSON type of a flag. All variants of a flag have one type.
public enum FlagValueType: String, Hashable, Sendable, CaseIterable {
    /// `true` and `false`.
    case boolean
    /// Numbers. Whole numbers and fractions are one type, as in JSON.
    case number
    /// Texts.
    case string
    /// Objects with named members.
    case object
    /// Lists. flagd's schema has no such flags, but its evaluators accept them.
    case array

    /// Creates the type that a value has in JSON; `nil` for null.
    public init?(_ value: EncodedFlagValue) {
        switch value {
        case .null: return nil
        case .bool: self = .boolean
        case .integer, .double: self = .number
        case .string, .unparsed, .data, .date: self = .string
        case .array: self = .array
        case .object: self = .object
        }
    }
}
