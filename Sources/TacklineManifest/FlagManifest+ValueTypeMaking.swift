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
    package init(of flag: AnyFlagHandle) {
        let example = flag.defaultValue
        self.init(of: flag.valueType, example: example)
        weaken(by: example) { [type = flag.valueType] in (try? type.init(encoded: $0)) != nil }
        switch flag.declaration.bounds {
        case .oneOf(let values): cases = values
        case .some where cases != nil: cases = cases?.filter { (try? flag.normalized($0)) != nil }
        case .range(let least, let most) where [.integer, .number, .date, .string].contains(kind):
            (minimum, maximum) = (carriedByJSON(least), carriedByJSON(most))
        case .matching(let pattern): self.pattern = pattern
        // Only the app knows the order of such a type.
        case .range, .typeRange, nil: break
        }
    }

    /// Describes a Swift type as far as it can be known.
    ///
    /// - Parameters:
    ///   - example: A value of the type, which shows the form of types that do not tell; null if there is none.
    ///   - isMember: Whether it is that of a member of a `Codable` type, which Foundation decodes.
    ///   - outer: The types around it, in which a type that holds itself ends.
    init(of type: any Any.Type, example: EncodedFlagValue, isMember: Bool = false, in outer: [any Any.Type] = []) {
        let wrapping = type as? any WrappingType.Type
        if let wrapping, wrapping.kind == nil {
            self.init(of: wrapping.wrapped, example: example, isMember: isMember, in: outer)
            name = "\(type)"
            isOptional = true
            return
        }
        self.init(.any, name: "\(type)")
        cases = FlagManifest.ValueType.cases(of: type)
        if let integer = type as? any FixedWidthInteger.Type { setRange(of: integer) }
        if let known = FlagManifest.ValueType.kind(of: type) {
            // A member takes texts that are no URL with a scheme.
            kind = isMember && known == .url ? .string : known
        } else if let first = cases?.first, let shown = FlagManifest.ValueType.kind(of: first) {
            kind = shown
        } else if !(type is Decimal.Type) {
            // A Decimal is a number or a text.
            kind = FlagManifest.ValueType.kind(of: example) ?? .any
            if let type = type as? any Decodable.Type, [.object, .any].contains(kind),
                let learned = MemberProbe.type(of: type, example, in: outer), [learned.kind, .any].contains(kind)
            {
                self = learned
                name = "\(type)"
            }
        }
        if let wrapping {
            let first: EncodedFlagValue? =
                switch example {
                case .array(let values): values.first
                case .object(let members): members.first?.value
                default: nil
                }
            element = FlagManifest.ValueType(
                of: wrapping.wrapped, example: first ?? .null, isMember: isMember, in: outer)
        }
        // A type with a conversion of its own may write values of another kind.
        if example != .null, (try? normalized(example)) == nil { self = FlagManifest.ValueType(.any, name: name) }
    }

    /// Makes members optional, or of any kind, where the type takes values that its declaration does not show, such as one
    /// whose `init(from:)` has a default for a member.
    ///
    /// - Parameters:
    ///   - example: A value of the type.
    ///   - isAccepted: Returns whether the flag takes a value in the place of the example.
    private mutating func weaken(by example: EncodedFlagValue, _ isAccepted: (EncodedFlagValue) -> Bool) {
        guard case .object(let values) = example, var types = members else { return }
        for (name, var type) in types where type.kind != .any {
            func isAcceptedAsMember(_ value: EncodedFlagValue?) -> Bool {
                var changed = values
                changed[name] = value
                return isAccepted(.object(changed))
            }
            if isAcceptedAsMember(type.kind == .array ? true : [[]]) {
                type = FlagManifest.ValueType(.any, isOptional: true)
            } else {
                if isAcceptedAsMember(nil) { type.isOptional = true }
                if let value = values[name] { type.weaken(by: value) { isAcceptedAsMember($0) } }
            }
            types[name] = type
        }
        members = types
    }

    private func carriedByJSON(_ value: EncodedFlagValue) -> EncodedFlagValue {
        if case .date(let date) = value {
            (try? FlagTimestamp.text(of: date)).map { .string($0) } ?? value
        } else {
            value
        }
    }

    private static func kind(of type: any Any.Type) -> Kind? {
        switch type {
        case is Bool.Type: .boolean
        case is String.Type: .string
        case is Duration.Type: .number
        case is Data.Type: .data
        case is Date.Type: .date
        case is URL.Type: .url
        case is UUID.Type: .uuid
        case is EncodedFlagValue.Type: .any
        case is any FixedWidthInteger.Type: .integer
        case is any BinaryFloatingPoint.Type: .number
        case let type as any WrappingType.Type: type.kind
        case let type as any RawRepresentable.Type: kind(of: rawType(of: type))
        default: nil
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

    private mutating func setRange<Integer: FixedWidthInteger>(of type: Integer.Type) {
        guard let least = Int128(exactly: type.min), let greatest = Int128(exactly: type.max) else { return }
        (minimum, maximum) = (.integer(least), .integer(greatest))
    }

    private static func cases(of type: any Any.Type) -> [EncodedFlagValue]? {
        guard let type = type as? any CaseIterable.Type else { return nil }
        return listedCases(of: type)
    }

    private static func listedCases<Cases: CaseIterable>(of type: Cases.Type) -> [EncodedFlagValue]? {
        let values = type.allCases.prefix(caseLimit + 1).map { value -> EncodedFlagValue? in
            let raw = (value as? any RawRepresentable).map { $0.rawValue as Any }
            return (value as? any FlagValue ?? raw as? any FlagValue).flatMap { try? $0.encoded }
        }
        let listed = values.compactMap(\.self)
        // A list with gaps would refuse good values.
        return listed.isEmpty || listed.count < values.count || listed.count > caseLimit ? nil : listed
    }
}

/// A type that gives the type inside of an optional, an array or a dictionary.
private protocol WrappingType {
    static var wrapped: any Any.Type { get }
    /// The kind of the container; `nil` for an optional.
    static var kind: FlagManifest.ValueType.Kind? { get }
}

extension Optional: WrappingType {
    fileprivate static var wrapped: any Any.Type { Wrapped.self }
    fileprivate static var kind: FlagManifest.ValueType.Kind? { nil }
}

extension Array: WrappingType {
    fileprivate static var wrapped: any Any.Type { Element.self }
    fileprivate static var kind: FlagManifest.ValueType.Kind? { .array }
}

extension Dictionary: WrappingType where Key == String {
    fileprivate static var wrapped: any Any.Type { Value.self }
    fileprivate static var kind: FlagManifest.ValueType.Kind? { .object }
}
