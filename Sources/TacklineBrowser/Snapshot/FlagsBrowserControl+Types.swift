import TacklineCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// Foundation: `URL`, `UUID`, `Data` and `Date` have texts of their own form.

extension FlagsBrowserControl {
    /// A choice of more values than this is a field.
    static let optionLimit = 200

    /// The control that fits a flag's type. An optional is edited like what it wraps.
    init(for type: any FlagValue.Type) {
        if let optional = type as? any OptionalFlagType.Type {
            self.init(for: optional.wrappedType)
        } else if let options = FlagsBrowserControl.options(of: type) {
            self = .choice(options)
        } else if type == Bool.self {
            self = .toggle
        } else if let integer = type as? any FixedWidthInteger.Type {
            self = FlagsBrowserControl.integer(integer)
        } else if type == Double.self || type == Float.self {
            self = .number
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

    /// Whether `null` is a value of a type.
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

    /// The cases of a type that lists them; `nil` if it does not, or lists too many, none, or one twice.
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
