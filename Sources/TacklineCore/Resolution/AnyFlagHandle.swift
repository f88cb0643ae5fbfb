/// A handle of a flag of any type, for browsers, tools and tests: `loader.flag(at: "secrets/boom_feature")`.
///
/// It is a ``FlagHandle`` without the flag's type, so its values are ``EncodedFlagValue``s. It keeps the loader's data
/// alive, but not the loader object. It is cheap to copy. Use it from any thread.
public struct AnyFlagHandle: Sendable {
    package let core: LoaderCore
    package let ordinal: Int

    package init(core: LoaderCore, ordinal: Int) { (self.core, self.ordinal) = (core, ordinal) }

    package var declaration: FlagDeclaration { core.declarations[ordinal] }

    /// The flag's key. No two flags of a loader have the same key, unless that was reported as a mistake.
    public var keyPath: FlagKeyPath { core.keyPaths[ordinal] }

    /// The path of the flag's property in the source: `secrets.boomFeature`.
    public var property: String { core.property(of: ordinal) }

    /// The description of the flag for people, with its display name filled in.
    public var metadata: FlagMetadata { core.metadata(of: ordinal) }

    /// The flag's type.
    public var valueType: any FlagValue.Type { declaration.valueType }

    /// Whether the flag has a `computedValue` or `computed` closure.
    public var isComputed: Bool { declaration.isComputed }

    /// The time at which the flag takes a new value.
    public var updatePolicy: FlagUpdatePolicy { declaration.updatePolicy }

    /// The value that a read of the property returns, or `null` if it can't be encoded. The flag is inspected, which
    /// doesn't count as use and pins no value.
    public var value: EncodedFlagValue { core.encoded(core.inspect(ordinal), ordinal) ?? .null }

    /// The default that is in force, or `null` if it can't be encoded.
    public var defaultValue: EncodedFlagValue { declaration.encode(core.defaultValue(of: ordinal)) ?? .null }

    /// Returns the flag's handle with its type, or `nil` if the flag is of another type.
    public func handle<Value: FlagValue>(as type: Value.Type) -> FlagHandle<Value>? {
        guard valueType == type else { return nil }
        return FlagHandle(
            slot: core.slots[ordinal].takeUnretainedValue(), tag: FlagSlot.tag(generation: core.generation))
    }

    /// Returns the value as the flag's type encodes it, after decoding the given form.
    ///
    /// - Throws: ``FlagValueError`` if the type refuses the value.
    package func normalized(_ value: EncodedFlagValue) throws(FlagValueError) -> EncodedFlagValue {
        try encoded(try declaration.decode(value))
    }

    /// Returns the encoded form of a value of the flag's type that is to be kept.
    ///
    /// - Throws: ``FlagValueError`` if the value can't be encoded or is outside of the flag's bounds.
    package func encoded(_ value: ErasedFlagValue) throws(FlagValueError) -> EncodedFlagValue {
        func encode<Value: FlagValue>(as type: Value.Type) throws(FlagValueError) -> EncodedFlagValue {
            let encoded = try value.as(type).encoded
            try declaration.checkBounds(of: value, encoded)
            return encoded
        }
        do throws(FlagValueError) { return try encode(as: valueType) } catch {
            throw error.withoutValue(if: declaration.isSecret)
        }
    }
}

extension AnyFlagHandle: Identifiable {
    /// The flag's key, which identifies it in its loader.
    public var id: FlagKeyPath { keyPath }
}

extension AnyFlagHandle: CustomStringConvertible {
    /// The key, the value and its source: `allows_sson = true (provider "overrides")`.
    public var description: String {
        let step = core.inspect(ordinal)
        let value = core.metadata(of: ordinal, step).shown("\(core.encoded(step, ordinal) ?? .null)")
        return "\(keyPath) = \(value) (\(step.source))"
    }
}

extension FlagHandle {
    /// The handle without its type, or `nil` if no loader bound the flag or its loader is deallocated.
    package var untyped: AnyFlagHandle? {
        (owner as? LoaderCore).map { AnyFlagHandle(core: $0, ordinal: ordinal) }
    }
}

extension FlagGroup {
    /// The loader's data, or `nil` if no loader constructed the collection or its loader is deallocated.
    package var core: LoaderCore? { owner as? LoaderCore }

    /// The key path that the flags in the collection have in common.
    ///
    /// That of the root is the prefix of the key configuration, or empty. That of a collection with
    /// ``CollectionKeyConfiguration/skip`` is the key path of the collection around it.
    public var keyPath: FlagKeyPath {
        guard let core, ordinal >= 0 else { return keyConfiguration.rootKeyPath }
        return core.index.groupKeyPaths[ordinal]
    }

    /// The key configuration of the loader.
    public var keyConfiguration: KeyConfiguration { core?.index.configuration ?? KeyConfiguration() }

    /// The destination of the loader's issues. It is ``FlagIssueReporter/current`` if the group has no loader.
    public var issueReporter: FlagIssueReporter { core?.reporter ?? .current }

    /// The path of the collection's property in the source. It is empty for the root.
    public var property: String {
        ordinal < 0 ? "" : core.map { $0.index.property($0.index.shape.groups[ordinal]) } ?? ""
    }

    /// The description of the collection for people. That of a nested collection has its display name filled in.
    public var metadata: FlagMetadata {
        guard let core, ordinal >= 0 else { return core?.metadata ?? FlagMetadata() }
        return core.groups[ordinal].metadata.named(core.index.shape.groups[ordinal].label)
    }

    /// The flags directly in the collection, sorted by ``FlagMetadata/order`` and then as declared.
    public var flags: [AnyFlagHandle] {
        guard let core else { return [] }
        let inside = core.ordinals.filter { core.index.shape.flags[$0].parent == ordinal }
        let order = indices(inOrderOf: inside.map { core.declarations[$0].metadata.order })
        return order.map { AnyFlagHandle(core: core, ordinal: inside[$0]) }
    }

    /// The collections directly in the collection, sorted by ``FlagMetadata/order`` and then as declared.
    public var groups: [FlagGroup] {
        guard let core else { return [] }
        let inside = core.groups.indices.filter { core.index.shape.groups[$0].parent == ordinal }
        let order = indices(inOrderOf: inside.map { core.groups[$0].metadata.order })
        return order.map { FlagGroup(owner: core, ordinal: inside[$0]) }
    }

    /// All flags in the collection and in the collections inside it: first its own, then those of each nested
    /// collection in turn.
    public var allFlags: [AnyFlagHandle] { flags + groups.flatMap(\.allFlags) }
}
