/// A set of flags as an enum: each case is a flag.
///
/// ```swift
/// enum AppFeature: String, Feature { case newCheckout, debugMenu }
///
/// let flags = FlagsLoader(AppFeature.self, providers: [overrides, remote])
/// if flags.isEnabled(.newCheckout) { … }                       // asked for under "new_checkout"
/// ```
///
/// All cases have one type of value, `Bool` unless you name another. A loader asks each case for its key, its default
/// and its metadata once, when it is made.
public protocol Feature: Hashable, Sendable, CaseIterable {
    /// The type of the flags' values.
    associatedtype Value: FlagValue = Bool

    /// The flag's key.
    ///
    /// Derived where the raw value is a `String`: a raw value of nothing but letters and digits counts as a property's
    /// name, which the loader transforms (`newCheckout` → `new_checkout`); any other stands as it is
    /// (`"checkout-v2"`).
    var key: FlagKey { get }

    /// What the flag does, in a sentence.
    ///
    /// Derived where the raw value is a `String`: its words (`newCheckout` → `New checkout`).
    var description: String { get }

    /// The value where no provider has a usable one. `false` for a `Bool` unless you say otherwise.
    var defaultValue: Value { get }

    /// What people should know about the flag. By default just its ``description``.
    var metadata: FlagMetadata { get }

    /// When the flag takes a new value. By default ``FlagUpdatePolicy/live``.
    var updatePolicy: FlagUpdatePolicy { get }
}

extension Feature {
    /// Just the description.
    public var metadata: FlagMetadata { FlagMetadata(description: description) }

    /// At once.
    public var updatePolicy: FlagUpdatePolicy { .live }
}

extension Feature where Value == Bool {
    /// Off.
    public var defaultValue: Bool { false }
}

extension Feature where Self: RawRepresentable, RawValue == String {
    /// The raw value, as a name if it can be one.
    public var key: FlagKey {
        rawValue.allSatisfy { $0.isLetter || $0.isNumber } ? .name(rawValue) : .component(rawValue)
    }

    /// The words of the raw value.
    public var description: String {
        let text = FlagKeyTransform.words(in: rawValue).map { $0.lowercased() }.joined(separator: " ")
        return text.prefix(1).uppercased() + text.dropFirst()
    }
}
