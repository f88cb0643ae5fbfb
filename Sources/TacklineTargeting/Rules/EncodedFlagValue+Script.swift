import TacklineCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// Foundation: `Data` and `Date` are cases of the neutral form.

extension EncodedFlagValue {
    /// Returns a number as JavaScript would hold it: whole if a double holds the whole number exactly.
    @inline(__always)
    static func scriptNumber(_ number: Double) -> EncodedFlagValue {
        // Minus zero stays a double, since it has no whole form.
        if number.rounded(.towardZero) == number, abs(number) <= 9_007_199_254_740_992,
            !(number == 0 && number.sign == .minus)
        {
            return .integer(Int128(Int64(number)))
        }
        return .double(number)
    }

    /// Whether JsonLogic treats the value as true: not 0, NaN, an empty text, an empty list, null or false.
    var isTruthy: Bool {
        switch self {
        case .null: false
        case .bool(let flag): flag
        case .integer(let number): number != 0
        case .double(let number): number != 0 && !number.isNaN
        case .string(let text), .unparsed(let text): !text.isEmpty
        case .array(let elements): !elements.isEmpty
        case .object, .data, .date: true
        }
    }

    /// The text of a value that is a text. Bytes and points in time are texts to a rule, as they are in JSON.
    var scriptString: String? {
        switch self {
        case .string(let text), .unparsed(let text): text
        case .data(let bytes): bytes.base64EncodedString()
        // Without its quotation marks. The form of RFC 3339 contains nothing to escape.
        case .date: (try? FlagJSONWriter(layout: .compact).text(of: self)).map { String($0.dropFirst().dropLast()) }
        default: nil
        }
    }
}

/// A text that is equal to another only if every code unit is.
struct ExactText: Hashable, Sendable {
    let text: String

    static func == (left: ExactText, right: ExactText) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }

    func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
    }
}
