import TacklineFoundation

/// The bounds of a flag's values: a range, a list, or a pattern.
///
/// ```swift
/// struct SearchFlags: FlagCollectionProtocol {
///     @Flag(default: 3, bounds: .range(1...10), description: "The number of attempts")
///     var attempts: Int
///
///     @Flag(default: nil, bounds: .oneOf(["list", "grid"]), description: "The layout of the results")
///     var layout: String?
///
///     @Flag(default: "de", bounds: .matching("[a-z]{2}"), description: "The language of the index")
///     var language: String
/// }
/// ```
///
/// A provider's value outside of the bounds is refused, like a value of another type: the next provider is asked, and
/// writing such a value throws. A default outside of them is a mistake in the declaration, which
/// ``FlagsLoader/validate()`` throws. The values of closures and of tests are not checked. The `nil` of an optional
/// flag is always within its bounds.
public struct FlagBounds<Value: FlagValue>: Sendable {
    let encoded: EncodedFlagBounds
    let contains: @Sendable (Value) -> Bool

    /// The values from the lower to the upper bound of a range, both included: `.range(1...10)`.
    public static func range(_ range: ClosedRange<Value>) -> FlagBounds where Value: Comparable {
        FlagBounds(encoded: EncodedFlagBounds(range)) { range.contains($0) }
    }

    /// The values that are equal to one of a list: `.oneOf(["list", "grid"])`. Browsers show them in its order.
    public static func oneOf(_ values: [Value]) -> FlagBounds where Value: Equatable {
        let encoded = values.compactMap { try? $0.encoded }.filter { $0 != .null }
        return FlagBounds(encoded: .oneOf(encoded)) { value in
            values.contains(value) || Value.takesNull && (try? value.encoded) == .null
        }
    }

    /// The texts that a pattern matches as a whole: `.matching("[a-z]{2}")`.
    ///
    /// - Parameter pattern: The text of a Swift `Regex`. One that can't be read is a mistake in the declaration, and
    ///   every text is within the bounds. A text of more than 1,024 characters matches no pattern.
    public static func matching(_ pattern: String) -> FlagBounds where Value == String {
        FlagBounds(encoded: .matching(pattern)) { EncodedFlagBounds.pattern(pattern, matches: $0) }
    }
}

extension FlagBounds {
    /// The values of an optional flag from the lower to the upper bound of a range, and `nil`.
    public static func range<Wrapped: FlagValue & Comparable>(_ range: ClosedRange<Wrapped>) -> FlagBounds
    where Value == Wrapped? { FlagBounds(wrapped: .range(range)) }

    /// The texts of an optional flag that a pattern matches as a whole, and `nil`.
    public static func matching(_ pattern: String) -> FlagBounds where Value == String? {
        FlagBounds(wrapped: .matching(pattern))
    }

    private init<Wrapped: FlagValue>(wrapped bounds: FlagBounds<Wrapped>) where Value == Wrapped? {
        self.init(encoded: bounds.encoded) { $0.map(bounds.contains) ?? true }
    }
}

/// The bounds of a flag without its type, for manifests, browsers and tests.
///
/// It is indirect to keep ``FlagBounds`` small, which each call of `Flag`'s initializers passes.
package indirect enum EncodedFlagBounds: Sendable, Equatable {
    /// The values from `minimum` to `maximum` in the order of numbers, dates or texts.
    case range(minimum: EncodedFlagValue, maximum: EncodedFlagValue)
    /// The values from `minimum` to `maximum` in an order that only the flag's type knows.
    case typeRange(minimum: EncodedFlagValue, maximum: EncodedFlagValue)
    /// The listed values.
    case oneOf([EncodedFlagValue])
    /// The texts that a pattern matches as a whole.
    case matching(String)

    fileprivate init<Value: FlagValue>(_ range: ClosedRange<Value>) {
        let minimum = (try? range.lowerBound.encoded) ?? .null
        let maximum = (try? range.upperBound.encoded) ?? .null
        let ordered: [any FlagValue.Type] = [String.self, Date.self, Duration.self, Decimal.self]
        let isOrdered = Value.self is any BinaryInteger.Type || Value.self is any BinaryFloatingPoint.Type
        self =
            isOrdered || ordered.contains { $0 == Value.self }
            ? .range(minimum: minimum, maximum: maximum) : .typeRange(minimum: minimum, maximum: maximum)
    }

    /// The values at the edges, for tests: minimum and maximum of a range, all values of a list, none of a pattern.
    package var edges: [EncodedFlagValue] {
        switch self {
        case .range(let minimum, let maximum), .typeRange(let minimum, let maximum):
            minimum == maximum ? [minimum] : [minimum, maximum]
        case .oneOf(let values): values
        case .matching: []
        }
    }

    /// The values within the bounds, as a phrase such as "a value from 1 to 10".
    package var phrase: String {
        switch self {
        case .range(let minimum, let maximum), .typeRange(let minimum, let maximum):
            "a value from \(minimum) to \(maximum)"
        case .oneOf(let values): EncodedFlagValue.phrase(forOneOf: values)
        case .matching(let pattern): "a text that matches \(pattern)"
        }
    }

    /// The reason why a pattern can't be used, or `nil` if it can.
    package static func mistake(inPattern pattern: String) -> String? {
        do { _ = try Regex(pattern) } catch { return "\(error)" }
        return nil
    }

    /// Returns whether a pattern matches a text as a whole. A pattern that can't be used matches every text.
    package static func pattern(_ pattern: String, matches text: String) -> Bool {
        // The second limit is for a character with many combining marks, which takes quadratic time.
        guard text.utf8.count <= 16 * 1024, text.count <= 1024 else { return false }
        // Made for each check, because a `Regex` isn't `Sendable`.
        guard let expression = try? Regex(pattern) else { return true }
        return (try? expression.wholeMatch(in: text)) != nil
    }
}

extension FlagDeclaration {
    /// Throws an error if a value of the flag's type is outside of the bounds.
    ///
    /// - Parameter encoded: The value as it was found, for the message.
    func checkBounds(of value: ErasedFlagValue, _ encoded: @autoclosure () -> EncodedFlagValue) throws(FlagValueError) {
        guard let bounds, let isWithinBounds, !isWithinBounds(value) else { return }
        throw FlagValueError(expected: bounds.phrase, found: encoded())
    }

    /// The reason why the bounds can't be used or the default is outside of them, as a clause without a full stop. It
    /// is `nil` if there is no such mistake.
    var mistakeInBounds: String? {
        if case .matching(let text)? = bounds, let mistake = EncodedFlagBounds.mistake(inPattern: text) {
            return "its pattern \(EncodedFlagValue.quoted(text)) can't be used: \(mistake)"
        }
        guard let bounds, let isWithinBounds, !isWithinBounds(defaultValue) else { return nil }
        let found = encode(defaultValue)?.phrase ?? "its default"
        return "its default is \(metadata.shown(found)), and its bounds need \(bounds.phrase)"
    }
}
