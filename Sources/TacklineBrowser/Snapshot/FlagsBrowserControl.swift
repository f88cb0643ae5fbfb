import TacklineCore

import TacklineFoundation

// Foundation: `URL`, `UUID`, `Data` and `Date` have text forms of their own.

/// The control that edits a flag.
package struct FlagsBrowserControl: Sendable, Hashable, Codable {
    /// The kind of control.
    package enum Kind: String, Sendable, Hashable, Codable {
        /// A switch.
        case toggle
        /// A number field with a stepper. It has bounds: those of the flag's declaration or its type.
        case integer
        /// A number field, with a slider if it has bounds.
        case number
        /// A text field, which has a ``FlagsBrowserControl/format``.
        case text
        /// A list of ``FlagsBrowserControl/options``.
        case choice
        /// A date and time picker.
        case date
        /// A text field for JSON with several lines.
        case json
    }

    /// The format of a text.
    package enum Format: String, Sendable, Hashable, Codable {
        /// Any text, a URL with a scheme, a UUID, or bytes in base64.
        case plain, url, uuid, base64
    }

    /// One of the values that a flag can have.
    package struct Option: Sendable, Hashable, Codable, Identifiable {
        /// The name of the case in the source code.
        package var label: String
        /// The value.
        package var value: FlagsBrowserValue
        /// The value's text. Two options of a flag never have the same id.
        package var id: String { value.input ?? value.text }
    }

    /// The kind of control.
    package var kind: Kind
    /// The bounds of a number, inclusive, or `nil` if it has none. They are texts, because some JSON readers lose large
    /// integers.
    package var minimum: String?, maximum: String?
    /// The format of a text; otherwise `nil`.
    package var format: Format?
    /// The options of a choice; otherwise `nil`.
    package var options: [Option]?

    /// The bounds of a number with fractions, or `nil` if it has none.
    package var range: ClosedRange<Double>? {
        guard kind == .number, let minimum = minimum.flatMap(Double.init), let maximum = maximum.flatMap(Double.init),
            minimum <= maximum
        else { return nil }
        return minimum...maximum
    }
}

extension FlagsBrowserControl {
    /// The largest number of cases for which the control is a list.
    private static let optionLimit = 200

    /// Creates the control for a flag: that of its type, within the bounds of its declaration.
    init(for flag: AnyFlagHandle) {
        self.init(for: flag.valueType)
        switch (kind, flag.declaration.bounds) {
        case (.choice, _?):
            let accepted = options?.filter { option in
                option.value.encoded.map { (try? flag.normalized($0)) != nil } ?? false
            }
            if accepted?.isEmpty == false { options = accepted }
        case (.integer, .range(.integer(let minimum), .integer(let maximum))):
            (self.minimum, self.maximum) = ("\(minimum)", "\(maximum)")
        case (.number, .range(let minimum, let maximum)):
            guard let minimum = try? Double(encoded: minimum), let maximum = try? Double(encoded: maximum),
                minimum.isFinite, maximum.isFinite
            else { break }
            (self.minimum, self.maximum) = ("\(minimum)", "\(maximum)")
        case (.toggle, .oneOf): break
        case (_, .oneOf(let values)):
            let options = values.map { value in
                let shown = FlagsBrowserValue(value)
                return Option(label: shown.input ?? shown.text, value: shown)
            }
            if Self.isUsable(options) { self = FlagsBrowserControl(kind: .choice, options: options) }
        default: break
        }
    }

    /// Creates the control for a flag's type. An optional has the control of its wrapped type.
    private init(for type: any FlagValue.Type) {
        if let optional = type as? any OptionalFlagType.Type {
            self.init(for: optional.wrappedType)
        } else if let options = FlagsBrowserControl.options(of: type) {
            self.init(kind: .choice, options: options)
        } else if type == Bool.self {
            self.init(kind: .toggle)
        } else if let integer = type as? any FixedWidthInteger.Type {
            self = FlagsBrowserControl.integer(integer)
        } else if type == Double.self || type == Float.self || type == Duration.self {
            self.init(kind: .number)
        } else if type == Date.self {
            self.init(kind: .date)
        } else if let format = Self.formats.first(where: { $0.type == type })?.format {
            self.init(kind: .text, format: format)
        } else if let raw = FlagsBrowserControl.rawType(of: type) {
            self.init(for: raw)
        } else {
            self.init(kind: .json)
        }
    }

    private static let formats: [(type: any FlagValue.Type, format: Format)] = [
        (String.self, .plain), (URL.self, .url), (UUID.self, .uuid), (Data.self, .base64),
    ]

    /// Returns whether `null` is a value of a type.
    static func isOptional(_ type: any FlagValue.Type) -> Bool { type is any OptionalFlagType.Type }

    private static func integer<Integer: FixedWidthInteger>(_ type: Integer.Type) -> FlagsBrowserControl {
        FlagsBrowserControl(
            kind: .integer, minimum: "\(Int128(clamping: Integer.min))", maximum: "\(Int128(clamping: Integer.max))")
    }

    private static func rawType(of type: any FlagValue.Type) -> (any FlagValue.Type)? {
        func open<Raw: RawRepresentable>(_ type: Raw.Type) -> (any FlagValue.Type)? {
            Raw.RawValue.self as? any FlagValue.Type
        }
        return (type as? any RawRepresentable.Type).flatMap { open($0) }
    }

    /// Returns the cases of a type that lists them. The result is `nil` if the type lists none, too many, or one twice,
    /// or if a case has no encoded value.
    private static func options(of type: any FlagValue.Type) -> [Option]? {
        func open<Cases: CaseIterable>(_ type: Cases.Type) -> [Option]? {
            let cases = Array(type.allCases.prefix(optionLimit + 1))
            let options = cases.compactMap { element -> Option? in
                guard let value = try? (element as? any FlagValue)?.encoded else { return nil }
                return Option(label: "\(element)", value: FlagsBrowserValue(value))
            }
            return options.count == cases.count && isUsable(options) ? options : nil
        }
        return (type as? any CaseIterable.Type).flatMap { open($0) }
    }

    private static func isUsable(_ options: [Option]) -> Bool {
        1...optionLimit ~= options.count && Set(options.map(\.id)).count == options.count
    }
}

/// An optional type of a flag.
private protocol OptionalFlagType {
    static var wrappedType: any FlagValue.Type { get }
}

extension Optional: OptionalFlagType where Wrapped: FlagValue {
    fileprivate static var wrappedType: any FlagValue.Type { Wrapped.self }
}
