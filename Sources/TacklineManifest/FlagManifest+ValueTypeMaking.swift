package import TacklineCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// Foundation: its types can be those of flags.

extension FlagManifest.ValueType {
    /// More cases than this are not listed.
    private static let caseLimit = 256

    /// Describes the values of a flag: those of its type, within the bounds of its declaration.
    init(of flag: AnyFlagHandle) {
        self.init(of: flag.valueType, example: flag.defaultValue)
        switch flag.declaration.bounds {
        case nil: break
        case .oneOf(let values): cases = values
        case .some where cases != nil: cases = cases?.filter { (try? flag.normalized($0)) != nil }
        case .range(.integer(let minimum), .integer(let maximum)) where kind == .integer: range = minimum...maximum
        case .range where [.number, .date, .string].contains(kind), .matching: bounds = flag.declaration.bounds
        // Only the app knows the order of such a type.
        case .range, .typeRange: break
        }
    }

    /// Describes a Swift type as far as it can be known.
    ///
    /// - Parameter example: A value of the type, which shows the form of types that do not tell.
    init(of type: any FlagValue.Type, example: EncodedFlagValue) {
        if let optional = type as? any OptionalType.Type {
            self.init(of: optional.wrappedType, example: example)
            name = "\(type)"
            isOptional = true
            return
        }
        self.init(.any, name: "\(type)")
        cases = FlagManifest.ValueType.cases(of: type)
        if let known = FlagManifest.ValueType.kind(of: type) {
            kind = known
        } else if let shown = FlagManifest.ValueType.kind(of: cases?.first ?? example) {
            kind = shown
        }
        if let integer = type as? any FixedWidthInteger.Type { range = FlagManifest.ValueType.range(of: integer) }
        if let container = type as? any ElementsType.Type {
            let first: EncodedFlagValue? =
                switch example {
                case .array(let values): values.first
                case .object(let members): members.first?.value
                default: nil
                }
            element = FlagManifest.ValueType(of: container.elementType, example: first ?? .null)
        }
        // A type with a conversion of its own may write values of another kind.
        if example != .null, (try? normalized(example)) == nil {
            self = FlagManifest.ValueType(.any, name: name)
        }
    }

    private static func kind(of type: any FlagValue.Type) -> Kind? {
        switch type {
        case is Bool.Type: return .boolean
        case is String.Type: return .string
        case is Duration.Type: return .number
        case is Data.Type: return .data
        case is Date.Type: return .date
        case is URL.Type: return .url
        case is UUID.Type: return .uuid
        case is EncodedFlagValue.Type: return .any
        case is any FixedWidthInteger.Type: return .integer
        case is any BinaryFloatingPoint.Type: return .number
        case let type as any ElementsType.Type: return type.isKeyed ? .object : .array
        case let type as any RawRepresentable.Type:
            return (rawType(of: type) as? any FlagValue.Type).flatMap { kind(of: $0) }
        default: return nil
        }
    }

    /// Returns the kind of a value; `nil` for null, which every kind may have.
    package static func kind(of value: EncodedFlagValue) -> Kind? {
        switch value {
        case .null: nil
        case .bool: .boolean
        case .integer: .integer
        case .double: .number
        case .string, .unparsed: .string
        case .data: .data
        case .date: .date
        case .array: .array
        case .object: .object
        }
    }

    private static func rawType<Raw: RawRepresentable>(of type: Raw.Type) -> any Any.Type { Raw.RawValue.self }

    private static func range<Integer: FixedWidthInteger>(of type: Integer.Type) -> ClosedRange<Int128>? {
        guard let least = Int128(exactly: type.min), let greatest = Int128(exactly: type.max) else { return nil }
        return least...greatest
    }

    private static func cases(of type: any FlagValue.Type) -> [EncodedFlagValue]? {
        guard let type = type as? any CaseIterable.Type else { return nil }
        return listedCases(of: type)
    }

    private static func listedCases<Cases: CaseIterable>(of type: Cases.Type) -> [EncodedFlagValue]? {
        let values = type.allCases.prefix(caseLimit + 1).map { ($0 as? any FlagValue).flatMap { try? $0.encoded } }
        let listed = values.compactMap(\.self)
        // A list with gaps would refuse good values.
        return listed.isEmpty || listed.count < values.count || listed.count > caseLimit ? nil : listed
    }
}

/// A type that gives the type inside of an optional.
private protocol OptionalType {
    static var wrappedType: any FlagValue.Type { get }
}

extension Optional: OptionalType where Wrapped: FlagValue {
    fileprivate static var wrappedType: any FlagValue.Type { Wrapped.self }
}

/// A type that gives the type inside of an array or a dictionary.
private protocol ElementsType {
    static var elementType: any FlagValue.Type { get }
    static var isKeyed: Bool { get }
}

extension Array: ElementsType where Element: FlagValue {
    fileprivate static var elementType: any FlagValue.Type { Element.self }
    fileprivate static var isKeyed: Bool { false }
}

extension Dictionary: ElementsType where Key == String, Value: FlagValue {
    fileprivate static var elementType: any FlagValue.Type { Value.self }
    fileprivate static var isKeyed: Bool { true }
}
