package import TacklineCore

import TacklineFoundation

// Foundation: its types can be those of flags.

extension FlagManifest.ValueType {
    /// Describes the values of a flag: those of its type, within the bounds of its declaration.
    package init(of flag: AnyFlagHandle) {
        let example = flag.defaultValue
        self.init(of: flag.valueType, example: example)
        weaken(by: example) { [type = flag.valueType] in (try? type.init(encoded: $0)) != nil }
        switch flag.declaration.bounds {
        case .oneOf(let values): cases = values
        case .some where cases != nil: cases = cases?.filter { (try? flag.normalized($0)) != nil }
        case .range(let least, let most) where [.integer, .number, .date, .string].contains(kind):
            (minimum, maximum) = (FlagManifest.Entry.carriedByJSON(least), FlagManifest.Entry.carriedByJSON(most))
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
            let parts =
                (try? [EncodedFlagValue](encoded: example))
                ?? (try? [String: EncodedFlagValue](encoded: example))?.map(\.value)
            element = FlagManifest.ValueType(
                of: wrapping.wrapped, example: parts?.first ?? .null, isMember: isMember, in: outer)
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

    private static func kind(of type: any Any.Type) -> Kind? {
        func rawType<Raw: RawRepresentable>(of type: Raw.Type) -> any Any.Type { Raw.RawValue.self }
        return switch type {
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

    private mutating func setRange<Integer: FixedWidthInteger>(of type: Integer.Type) {
        guard let least = Int128(exactly: type.min), let greatest = Int128(exactly: type.max) else { return }
        (minimum, maximum) = (.integer(least), .integer(greatest))
    }

    private static func cases(of type: any Any.Type) -> [EncodedFlagValue]? {
        func all<Cases: CaseIterable>(of type: Cases.Type) -> [Any] { Array(type.allCases) }
        guard let type = type as? any CaseIterable.Type else { return nil }
        let cases = all(of: type)
        let listed = cases.compactMap { value -> EncodedFlagValue? in
            let raw = (value as? any RawRepresentable).map { $0.rawValue as Any }
            return (value as? any FlagValue ?? raw as? any FlagValue).flatMap { try? $0.encoded }
        }
        // A list with gaps would refuse good values.
        return listed.isEmpty || listed.count < cases.count ? nil : listed
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

/// A decoder that notes which members a type reads, and of which types. It gives the type the members of an example, and
/// plain values where the example has none.
final class MemberProbe: Decoder {
    private struct Unknown: Error {}

    private let example: EncodedFlagValue
    private let outer: [any Any.Type]
    private var found: FlagManifest.ValueType?

    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]

    private init(_ example: EncodedFlagValue, _ outer: [any Any.Type]) { (self.example, self.outer) = (example, outer) }

    /// Returns the description of a type; `nil` if it can't be learned, because the type decodes itself in another way.
    static func type(
        of type: any Decodable.Type, _ example: EncodedFlagValue, in outer: [any Any.Type]
    ) -> FlagManifest.ValueType? {
        guard outer.count < 8, !outer.contains(where: { $0 == type }) else { return nil }
        let probe = MemberProbe(example, outer + [type])
        return (try? type.init(from: probe)) == nil ? nil : probe.found
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        if found?.members == nil { found = FlagManifest.ValueType(.object, members: [:]) }
        return KeyedDecodingContainer(Members(probe: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw Unknown() }
    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    private func described(_ type: any Any.Type, _ value: EncodedFlagValue) -> FlagManifest.ValueType {
        FlagManifest.ValueType(of: type, example: value, isMember: true, in: outer)
    }

    /// Returns a value of a type: the example's, or a plain one.
    private func value<Value: Decodable>(_ type: Value.Type, _ example: EncodedFlagValue?) throws -> Value {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { try Date(encoded: .string(String(from: $0))) }
        let first = (type as? any CaseIterable.Type).flatMap { Self.first(of: $0) as? Value }
        if example == nil, let first { return first }
        let plain: [EncodedFlagValue] = [
            0, "", false, [], [:], "1970-01-01T00:00:00Z", "https://example.com", Self.uuid,
        ]
        for value in example.map({ [$0] }) ?? plain {
            let json = try Data(FlagJSONWriter(layout: .compact).bytes(of: value))
            if let value = try? decoder.decode(Value.self, from: json) { return value }
        }
        return try Value(from: MemberProbe(.null, outer + [type]))
    }

    private static let uuid: EncodedFlagValue = "00000000-0000-0000-0000-000000000000"
    private static func first<Cases: CaseIterable>(of type: Cases.Type) -> Any? { type.allCases.first }

    private struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let probe: MemberProbe
        let codingPath: [any CodingKey] = []

        private var members: [String: EncodedFlagValue] {
            if case .object(let members) = probe.example { members } else { [:] }
        }

        var allKeys: [Key] { members.keys.compactMap { Key(stringValue: $0) } }
        func contains(_ key: Key) -> Bool { members[key.stringValue] != nil }
        func decodeNil(forKey key: Key) -> Bool { members[key.stringValue] ?? .null == .null }

        func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
            let member = members[key.stringValue]
            probe.found?.members?[key.stringValue] = probe.described(type, member ?? .null)
            return try probe.value(type, member)
        }

        func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
            let member = members[key.stringValue].flatMap { $0 == .null ? nil : $0 }
            var described = probe.described(type, member ?? .null)
            described.isOptional = true
            probe.found?.members?[key.stringValue] = described
            return try member.map { try probe.value(type, $0) }
        }

        func nestedContainer<Inner: CodingKey>(
            keyedBy type: Inner.Type, forKey key: Key
        ) throws -> KeyedDecodingContainer<Inner> { throw Unknown() }

        func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { throw Unknown() }
        func superDecoder() throws -> any Decoder { throw Unknown() }
        func superDecoder(forKey key: Key) throws -> any Decoder { throw Unknown() }
    }
}

extension MemberProbe: SingleValueDecodingContainer {
    func decodeNil() -> Bool { example == .null }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        found = described(type, example)
        return try value(type, example == .null ? nil : example)
    }
}
