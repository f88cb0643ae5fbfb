import TacklineCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// Foundation: `URL`, `UUID`, `Data` and `Date` have text forms of their own.

extension FlagsBrowserControl {
    /// The largest number of cases for which the control is a list.
    static let optionLimit = 200

    /// Creates the control for a flag: that of its type, within the bounds of its declaration.
    init(for flag: AnyFlagHandle) {
        self.init(for: flag.valueType)
        switch (self, flag.declaration.bounds) {
        case (_, nil): break
        case (.choice(let options), _):
            let accepted = options.filter { option in
                option.value.encoded.map { (try? flag.normalized($0)) != nil } ?? false
            }
            if !accepted.isEmpty { self = .choice(accepted) }
        case (.integer, .range(.integer(let minimum), .integer(let maximum))):
            self = .integer(minimum: minimum, maximum: maximum)
        case (.number, .range(let minimum, let maximum)):
            guard let minimum = try? Double(encoded: minimum), let maximum = try? Double(encoded: maximum),
                minimum.isFinite, maximum.isFinite
            else { break }
            self = .number(in: minimum...maximum)
        case (.toggle, .oneOf): break
        case (_, .oneOf(let values)):
            let options = values.map { value in
                let shown = FlagsBrowserValue(value)
                return FlagsBrowserOption(label: shown.input ?? shown.text, value: shown)
            }
            if 1...FlagsBrowserControl.optionLimit ~= options.count, Set(options.map(\.id)).count == options.count {
                self = .choice(options)
            }
        default: break
        }
    }

    /// Creates the control for a flag's type. An optional has the control of its wrapped type.
    init(for type: any FlagValue.Type) {
        if let optional = type as? any OptionalFlagType.Type {
            self.init(for: optional.wrappedType)
        } else if let options = FlagsBrowserControl.options(of: type) {
            self = .choice(options)
        } else if type == Bool.self {
            self = .toggle
        } else if let integer = type as? any FixedWidthInteger.Type {
            self = FlagsBrowserControl.integer(integer)
        } else if type == Double.self || type == Float.self || type == Duration.self {
            self = .number(in: nil)
        } else if type == String.self {
            self = .text(.plain)
        } else if type == URL.self {
            self = .text(.url)
        } else if type == UUID.self {
            self = .text(.uuid)
        } else if type == Data.self {
            self = .text(.base64)
        } else if type == Date.self {
            self = .date
        } else if let raw = FlagsBrowserControl.rawType(of: type) {
            self.init(for: raw)
        } else {
            self = .json
        }
    }

    /// Returns whether `null` is a value of a type.
    static func isOptional(_ type: any FlagValue.Type) -> Bool { type is any OptionalFlagType.Type }

    private static func integer<Integer: FixedWidthInteger>(_ type: Integer.Type) -> FlagsBrowserControl {
        .integer(minimum: Int128(clamping: Integer.min), maximum: Int128(clamping: Integer.max))
    }

    private static func rawType(of type: any FlagValue.Type) -> (any FlagValue.Type)? {
        func open<Raw: RawRepresentable>(_ type: Raw.Type) -> (any FlagValue.Type)? {
            Raw.RawValue.self as? any FlagValue.Type
        }
        return (type as? any RawRepresentable.Type).flatMap { open($0) }
    }

    /// Returns the cases of a type that lists them. The result is `nil` if the type lists none, too many, or one twice,
    /// or if a case has no encoded value.
    private static func options(of type: any FlagValue.Type) -> [FlagsBrowserOption]? {
        func open<Cases: CaseIterable>(_ type: Cases.Type) -> [FlagsBrowserOption]? {
            let cases = Array(type.allCases.prefix(optionLimit + 1))
            let options = cases.compactMap { element -> FlagsBrowserOption? in
                guard let value = try? (element as? any FlagValue)?.encoded else { return nil }
                return FlagsBrowserOption(label: "\(element)", value: FlagsBrowserValue(value))
            }
            let isUsable = !options.isEmpty && options.count == cases.count && cases.count <= optionLimit
            return isUsable && Set(options.map(\.id)).count == options.count ? options : nil
        }
        return (type as? any CaseIterable.Type).flatMap { open($0) }
    }
}

/// An optional type of a flag.
private protocol OptionalFlagType {
    static var wrappedType: any FlagValue.Type { get }
}

extension Optional: OptionalFlagType where Wrapped: FlagValue {
    fileprivate static var wrappedType: any FlagValue.Type { Wrapped.self }
}
