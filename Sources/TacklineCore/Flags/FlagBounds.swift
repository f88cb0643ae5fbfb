/// The bounds of a flag's values: a range, a list, or a pattern.
///
/// ```swift
/// struct SearchFlags: FlagCollectionProtocol {
///     @Flag(default: 3, in: 1...10, description: "The number of attempts")
///     var attempts: Int
///
///     @Flag(default: "list", among: ["list", "grid"], description: "The layout of the results")
///     var layout: String
///
///     @Flag(default: "de", matching: /[a-z]{2}/, description: "The language of the index")
///     var language: String
/// }
/// ```
///
/// A provider's value outside of the bounds is refused, like a value of another type: the next provider is asked, and
/// writing such a value throws. A default outside of them is a mistake in the declaration, which
/// ``FlagsLoader/validate()`` throws. The values of closures and of tests are not checked.
public struct FlagBounds: Sendable, Hashable {
    /// The form of the bounds.
    public enum Kind: Sendable, Hashable {
        /// The values from `minimum` to `maximum`, both included, in the order of the flag's type.
        case range(minimum: EncodedFlagValue, maximum: EncodedFlagValue)
        /// The listed values.
        case values([EncodedFlagValue])
        /// The texts that a pattern matches as a whole. See ``FlagPattern`` for its syntax.
        case pattern(FlagPattern)
    }

    /// The form of the bounds.
    public let kind: Kind

    /// Creates bounds of a given form.
    public init(_ kind: Kind) { self.kind = kind }

    /// Returns whether a value is within the bounds, as far as its encoded form shows.
    ///
    /// Numbers, dates and texts are compared with a range. A value that can't be compared, and null, are within it.
    ///
    /// - Parameter value: A value in the form in which the flag's type encodes it.
    public func contains(_ value: EncodedFlagValue) -> Bool {
        if value == .null { return true }
        switch kind {
        case .range(let minimum, let maximum): return minimum.isAtMost(value) && value.isAtMost(maximum)
        case .values(let values): return values.contains(value)
        case .pattern(let pattern):
            guard case .string(let text) = value else { return true }
            return pattern.matches(text)
        }
    }

    /// The values at the edges, for tests: minimum and maximum of a range, all values of a list, none of a pattern.
    public var edges: [EncodedFlagValue] {
        switch kind {
        case .range(let minimum, let maximum): minimum == maximum ? [minimum] : [minimum, maximum]
        case .values(let values): values
        case .pattern: []
        }
    }

    /// The values within the bounds, as a phrase such as "a value from 1 to 10".
    public var phrase: String {
        switch kind {
        case .range(let minimum, let maximum): return "a value from \(minimum) to \(maximum)"
        case .values(let values):
            let shown = values.prefix(20).map(\.description).joined(separator: ", ")
            return "one of \(shown)" + (values.count > 20 ? " or \(values.count - 20) more" : "")
        case .pattern(let pattern): return "a text that matches \(pattern.text)"
        }
    }
}

extension EncodedFlagValue {
    /// Returns whether the value is at most another one. The result is `true` if they can't be compared.
    fileprivate func isAtMost(_ other: EncodedFlagValue) -> Bool {
        switch (self, other) {
        case (.integer(let left), .integer(let right)): left <= right
        case (.string(let left), .string(let right)): left <= right
        case (.date(let left), .date(let right)): left <= right
        default:
            if let left = approximateNumber, let right = other.approximateNumber { left <= right } else { true }
        }
    }

    private var approximateNumber: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .double(let value): value
        case .decimal(let value): value.nearestDouble
        default: nil
        }
    }
}

/// The bounds of a declaration, with the check of a value of the flag's type.
package final class DeclaredBounds: Sendable {
    /// The bounds, or `nil` if they can't be used.
    package let bounds: FlagBounds?
    /// A reason why no value can be within the bounds, as a clause without a full stop, or `nil`.
    let mistake: String?
    private let contains: @Sendable (ErasedFlagValue) -> Bool

    init(_ bounds: FlagBounds?, mistake: String? = nil, contains: @escaping @Sendable (ErasedFlagValue) -> Bool) {
        self.bounds = bounds
        self.mistake = mistake
        self.contains = contains
    }

    /// Returns whether a value of the flag's type is within the bounds.
    func contains(_ value: ErasedFlagValue) -> Bool { contains(value) }
}

extension FlagDeclaration {
    /// The bounds of the flag's values, or `nil` if its type has the only ones.
    package var bounds: FlagBounds? { declaredBounds?.bounds }

    /// Throws an error if a value of the flag's type is outside of the bounds.
    ///
    /// - Parameter encoded: The value as it was found, for the message.
    func checkBounds(of value: ErasedFlagValue, _ encoded: @autoclosure () -> EncodedFlagValue) throws(FlagValueError) {
        guard let declaredBounds, !declaredBounds.contains(value) else { return }
        throw FlagValueError(expected: declaredBounds.bounds?.phrase ?? "another value", found: encoded())
    }

    /// The mistake that the default is outside of the flag's bounds, as a clause without a full stop; `nil` if there is
    /// none.
    var mistakeInBounds: String? {
        guard let declaredBounds else { return nil }
        if let mistake = declaredBounds.mistake { return mistake }
        guard let bounds = declaredBounds.bounds, !declaredBounds.contains(defaultValue) else { return nil }
        let found = encode(defaultValue)?.phrase ?? "its default"
        return "its default is \(metadata.shown(found)), and its bounds need \(bounds.phrase)"
    }
}

// MARK: Declaring

extension Flag where Value: Comparable {
    /// Creates a flag whose values are in a range: `@Flag(default: 3, in: 1...10)`.
    ///
    /// - Parameters:
    ///   - name: The display name. If it is `nil`, the name in `description` is used, or the property's name.
    ///   - key: The key, in place of the one made from the property's name.
    ///   - defaultValue: The value if no provider has a usable one. It is in the range.
    ///   - range: The values that the flag takes from providers. See ``FlagBounds``.
    ///   - excludedProviders: The types of providers that are never asked for this flag.
    ///   - updatePolicy: The time at which the flag takes a new value.
    ///   - description: The effect of the flag in a sentence, or further metadata.
    ///   - fileID: The file of the declaration, for messages. Leave out this argument and the next two.
    ///   - line: The line of the declaration.
    ///   - column: The column of the declaration.
    public init(
        name: String? = nil, key: FlagKey? = nil, default defaultValue: Value, in range: ClosedRange<Value>,
        excludedProviders: [any FlagProvider.Type] = [], updatePolicy: FlagUpdatePolicy = .live,
        description: FlagMetadata = FlagMetadata(), fileID: StaticString = #fileID, line: UInt = #line,
        column: UInt = #column
    ) {
        self.init(
            DeclaredBounds(FlagBounds(range)) { range.contains($0.as(Value.self)) }, name, key, defaultValue,
            excludedProviders, updatePolicy, description, FlagSite(fileID: fileID, line: line, column: column))
    }
}

extension Flag {
    /// Creates an optional flag whose values are in a range, or `nil`: `@Flag(default: nil, in: 1...10)`.
    ///
    /// - Parameters:
    ///   - name: The display name. If it is `nil`, the name in `description` is used, or the property's name.
    ///   - key: The key, in place of the one made from the property's name.
    ///   - defaultValue: The value if no provider has a usable one. It is `nil` or in the range.
    ///   - range: The values that the flag takes from providers besides `nil`. See ``FlagBounds``.
    ///   - excludedProviders: The types of providers that are never asked for this flag.
    ///   - updatePolicy: The time at which the flag takes a new value.
    ///   - description: The effect of the flag in a sentence, or further metadata.
    ///   - fileID: The file of the declaration, for messages. Leave out this argument and the next two.
    ///   - line: The line of the declaration.
    ///   - column: The column of the declaration.
    public init<Wrapped: FlagValue & Comparable>(
        name: String? = nil, key: FlagKey? = nil, default defaultValue: Value, in range: ClosedRange<Wrapped>,
        excludedProviders: [any FlagProvider.Type] = [], updatePolicy: FlagUpdatePolicy = .live,
        description: FlagMetadata = FlagMetadata(), fileID: StaticString = #fileID, line: UInt = #line,
        column: UInt = #column
    ) where Value == Wrapped? {
        self.init(
            DeclaredBounds(FlagBounds(range)) { $0.as(Wrapped?.self).map(range.contains) ?? true }, name, key,
            defaultValue, excludedProviders, updatePolicy, description,
            FlagSite(fileID: fileID, line: line, column: column))
    }

    /// Creates a flag whose values are in a list: `@Flag(default: "list", among: ["list", "grid"])`.
    ///
    /// - Parameters:
    ///   - name: The display name. If it is `nil`, the name in `description` is used, or the property's name.
    ///   - key: The key, in place of the one made from the property's name.
    ///   - defaultValue: The value if no provider has a usable one. It is in the list.
    ///   - values: The values that the flag takes from providers, in the order in which browsers show them. See
    ///     ``FlagBounds``.
    ///   - excludedProviders: The types of providers that are never asked for this flag.
    ///   - updatePolicy: The time at which the flag takes a new value.
    ///   - description: The effect of the flag in a sentence, or further metadata.
    ///   - fileID: The file of the declaration, for messages. Leave out this argument and the next two.
    ///   - line: The line of the declaration.
    ///   - column: The column of the declaration.
    public init(
        name: String? = nil, key: FlagKey? = nil, default defaultValue: Value, among values: [Value],
        excludedProviders: [any FlagProvider.Type] = [], updatePolicy: FlagUpdatePolicy = .live,
        description: FlagMetadata = FlagMetadata(), fileID: StaticString = #fileID, line: UInt = #line,
        column: UInt = #column
    ) where Value: Equatable {
        let bounds = FlagBounds(.values(values.compactMap { try? $0.encoded }))
        self.init(
            DeclaredBounds(bounds) { values.contains($0.as(Value.self)) }, name, key, defaultValue, excludedProviders,
            updatePolicy, description, FlagSite(fileID: fileID, line: line, column: column))
    }

    /// Creates a flag whose texts match a pattern as a whole: `@Flag(default: "de", matching: "[a-z]{2}")`.
    ///
    /// - Parameters:
    ///   - name: The display name. If it is `nil`, the name in `description` is used, or the property's name.
    ///   - key: The key, in place of the one made from the property's name.
    ///   - defaultValue: The value if no provider has a usable one. It matches the pattern.
    ///   - pattern: The pattern of the texts that the flag takes from providers. See ``FlagPattern`` for its syntax. One
    ///     that can't be used is a mistake in the declaration.
    ///   - excludedProviders: The types of providers that are never asked for this flag.
    ///   - updatePolicy: The time at which the flag takes a new value.
    ///   - description: The effect of the flag in a sentence, or further metadata.
    ///   - fileID: The file of the declaration, for messages. Leave out this argument and the next two.
    ///   - line: The line of the declaration.
    ///   - column: The column of the declaration.
    public init(
        name: String? = nil, key: FlagKey? = nil, default defaultValue: Value, matching pattern: String,
        excludedProviders: [any FlagProvider.Type] = [], updatePolicy: FlagUpdatePolicy = .live,
        description: FlagMetadata = FlagMetadata(), fileID: StaticString = #fileID, line: UInt = #line,
        column: UInt = #column
    ) where Value == String {
        self.init(
            DeclaredBounds(pattern: pattern), name, key, defaultValue, excludedProviders, updatePolicy, description,
            FlagSite(fileID: fileID, line: line, column: column))
    }

    /// Creates a flag whose texts match a regular expression as a whole:
    /// `@Flag(default: "de", matching: /[a-z]{2}/)`.
    ///
    /// Only the text of the expression is used: it is read as a ``FlagPattern``, which takes linear time for any text
    /// of a provider. An expression with other parts, such as a reference back to a group, is a mistake in the
    /// declaration.
    ///
    /// - Parameters:
    ///   - name: The display name. If it is `nil`, the name in `description` is used, or the property's name.
    ///   - key: The key, in place of the one made from the property's name.
    ///   - defaultValue: The value if no provider has a usable one. It matches the pattern.
    ///   - pattern: The pattern of the texts that the flag takes from providers.
    ///   - excludedProviders: The types of providers that are never asked for this flag.
    ///   - updatePolicy: The time at which the flag takes a new value.
    ///   - description: The effect of the flag in a sentence, or further metadata.
    ///   - fileID: The file of the declaration, for messages. Leave out this argument and the next two.
    ///   - line: The line of the declaration.
    ///   - column: The column of the declaration.
    public init<Output>(
        name: String? = nil, key: FlagKey? = nil, default defaultValue: Value, matching pattern: Regex<Output>,
        excludedProviders: [any FlagProvider.Type] = [], updatePolicy: FlagUpdatePolicy = .live,
        description: FlagMetadata = FlagMetadata(), fileID: StaticString = #fileID, line: UInt = #line,
        column: UInt = #column
    ) where Value == String {
        // The standard library has no other way to the text of an expression. It is `nil` if a closure is in it.
        self.init(
            DeclaredBounds(pattern: pattern._literalPattern ?? "(?closure)"), name, key, defaultValue,
            excludedProviders, updatePolicy, description, FlagSite(fileID: fileID, line: line, column: column))
    }

    private init(
        _ bounds: DeclaredBounds, _ name: String?, _ key: FlagKey?, _ defaultValue: Value,
        _ excludedProviders: [any FlagProvider.Type], _ updatePolicy: FlagUpdatePolicy, _ metadata: FlagMetadata,
        _ site: FlagSite
    ) {
        self.init(
            FlagDeclaration(
                name: name, key: key, defaultValue: defaultValue, excludedProviders: excludedProviders,
                updatePolicy: updatePolicy, declaredBounds: bounds, metadata: metadata, site: site))
    }
}

extension FlagBounds {
    fileprivate init<Value: FlagValue>(_ range: ClosedRange<Value>) {
        func encoded(_ value: Value) -> EncodedFlagValue { (try? value.encoded) ?? .null }
        self.init(.range(minimum: encoded(range.lowerBound), maximum: encoded(range.upperBound)))
    }
}

extension DeclaredBounds {
    fileprivate convenience init(pattern text: String) {
        do throws(FlagPatternError) {
            let pattern = try FlagPattern(text)
            self.init(FlagBounds(.pattern(pattern))) { pattern.matches($0.as(String.self)) }
        } catch {
            let mistake = "its pattern \(EncodedFlagValue.quoted(text)) can't be used: \(error)"
            self.init(nil, mistake: mistake) { _ in true }
        }
    }
}
