import TacklineCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// Foundation decodes the members of `Codable` types.

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
        found = FlagManifest.ValueType(.object)
        found?.members = [:]
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
