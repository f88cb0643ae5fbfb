import Synchronization

/// A flag of any type, as it is found by its path or in a list: for browsers, tools and tests.
///
/// It deals in the neutral form of values. It keeps the loader's data alive, though not the loader object. Cheap to copy,
/// safe from any thread.
public struct FlagReference: Sendable {
    package let core: LoaderCore
    package let ordinal: Int

    package var declaration: FlagDeclaration { core.declaration(of: ordinal) }

    /// The flag's key. No two flags of a loader have the same, unless that was reported as a mistake.
    public var keyPath: FlagKeyPath { core.index.keyPaths[ordinal] }

    /// The path of its property in the source: `secrets.boomFeature`.
    public var property: String { core.index.property(of: ordinal) }

    /// What people should know about the flag, with its name filled in.
    public var metadata: FlagMetadata { core.metadata(of: ordinal) }

    /// The flag's type.
    public var valueType: any FlagValue.Type { declaration.valueType }

    /// Whether the flag has a `computedValue` or `computed` closure.
    public var isComputed: Bool { declaration.isComputed }

    /// When the flag takes a new value.
    public var updatePolicy: FlagUpdatePolicy { declaration.updatePolicy }

    /// The value, as reading the property gives it, in its neutral form. It does not count as a use of the flag, nor as a
    /// read that fixes it (``FlagUpdatePolicy``).
    public var encodedValue: EncodedFlagValue { core.encodedResolution(of: ordinal).value ?? .null }

    /// The default in its neutral form.
    public var encodedDefault: EncodedFlagValue { declaration.encode(defaultValue) ?? .null }

    /// The default that holds now.
    var defaultValue: ErasedFlagValue { core.resolver.defaults.value(of: declaration, ordinal) }

    /// Returns every provider's answer, which one won and why. It does not count as a use of the flag.
    public func explain() -> FlagExplanation { core.resolver.explanation(declaration, ordinal, metadata: metadata) }

    /// Returns the flag's handle, or `nil` if the flag is of another type.
    public func handle<Value: FlagValue>(as type: Value.Type) -> FlagHandle<Value>? {
        guard valueType == type else { return nil }
        let flag = core.declared.flags[ordinal]
        return FlagHandle(slot: flag.slot.takeUnretainedValue(), tag: FlagSlot.tag(life: flag.life))
    }

    /// Returns the first usable step of the law, as a look that counts as no use.
    func finding() -> FlagResolver.Finding { core.resolver.finding(declaration, ordinal) }

    /// Returns what one provider says; `nil` if it is not in the chain, or says nothing that the flag can use.
    func finding(from provider: FlagProviderSelector, for purpose: FlagQuestion.Purpose) -> FlagResolver.Finding? {
        core.resolver.finding(declaration, ordinal, from: provider, for: purpose)
    }

    /// Writes a value in its neutral form, or removes it with `nil`.
    ///
    /// The flag's type has to take the value, so nothing unusable is written.
    ///
    /// - Parameters:
    ///   - value: The value; ``EncodedFlagValue/unparsed(_:)`` for a text that the flag's type shall read.
    ///   - providers: The providers in the order of the writes; `nil` for the first writable one.
    /// - Throws: ``FlagWriteError``, as writing through a ``FlagHandle`` does, and if the type refuses the value.
    public func setEncodedValue(
        _ value: EncodedFlagValue?, providers: [FlagProviderSelector]? = nil
    ) throws(FlagWriteError) {
        var accepted = value
        if let value {
            do throws(FlagValueError) {
                accepted = try normalized(value)
            } catch {
                throw FlagWriteError(key: keyPath, reason: .value(error), written: [])
            }
        }
        try core.write(accepted, ordinal: ordinal, to: providers)
    }

    /// Returns the form in which the flag's type itself would write a value.
    ///
    /// - Throws: ``FlagValueError`` if the type refuses it.
    package func normalized(_ value: EncodedFlagValue) throws(FlagValueError) -> EncodedFlagValue {
        let declaration = declaration
        let taken = try declaration.decode(value)
        guard let encoded = declaration.encode(taken) else {
            throw FlagValueError(expected: "a value with a neutral form", found: value)
        }
        return encoded
    }
}

extension FlagReference: Identifiable {
    /// The key.
    public var id: FlagKeyPath { keyPath }
}

extension FlagReference: CustomStringConvertible {
    /// Key, value and where it comes from: `allows_sson = true (provider "overrides")`. It asks the providers.
    public var description: String {
        let (value, source) = core.encodedResolution(of: ordinal)
        return "\(keyPath) = \(value ?? .null) (\(source))"
    }
}

extension LoaderCore {
    /// Returns a flag's value in its neutral form, `nil` where a hand-written `encode(to:)` throws, and where it comes
    /// from, as a look that counts as no use.
    ///
    /// - Parameter chain: The chain to ask; `nil` for the one in force.
    package func encodedResolution(
        of ordinal: Int, in chain: FlagChain? = nil
    ) -> (value: EncodedFlagValue?, source: FlagSource) {
        let declaration = declaration(of: ordinal)
        let found = resolver.finding(declaration, ordinal, in: chain)
        return (declaration.encode(found.value), found.step.source)
    }

    /// Counts what may have changed a flag's value or a provider's answer for it.
    ///
    /// Who reads it before asking the providers and finds the same number later knows that they would answer the same,
    /// unless the flag is computed or a provider cannot tell changes.
    package func version(of ordinal: Int) -> UInt32 {
        declared.flags[ordinal].slot._withUnsafeGuaranteedRef { $0.invalidations.load(ordering: .acquiring) }
    }

    /// The flags that a condition picks, in the order of their declaration.
    fileprivate func references(where isIncluded: (FlagIndex.Entry) -> Bool = { _ in true }) -> [FlagReference] {
        index.entries.indices
            .filter { isIncluded(index.entries[$0]) }
            .map { FlagReference(core: self, ordinal: $0) }
    }
}

// MARK: Finding flags

extension FlagsLoader {
    /// The root collection as a tree: its flags and its nested collections.
    public var root: FlagGroup { FlagGroup(owner: core, ordinal: -1) }

    /// Every flag in the order of its declaration, those of a nested collection where the collection stands.
    public var allFlags: [FlagReference] { core.references() }

    /// Returns the flag at a path, or `nil` if there is none.
    ///
    /// - Parameter path: The key as text, in the separator of the loader: `"secrets/boom_feature"`.
    /// - Complexity: O(*n*) in the length of the path.
    public func flag(at path: String) -> FlagReference? {
        core.index.ordinal(forText: path).map { FlagReference(core: core, ordinal: $0) }
    }
}

extension FlagsLoader: CustomStringConvertible {
    /// The collection's name and a line for each flag: key, value and where it comes from. It asks the providers.
    public var description: String {
        let lines = allFlags.map { "\n  \($0)" }
        return "\(Collection.self), \(lines.count) flags\(lines.joined())"
    }
}

extension FlagGroup {
    /// The loader's data; `nil` for a collection that no loader constructed, or whose loader is gone.
    package var core: LoaderCore? { owner?.core }

    private var entry: FlagIndex.Group? { ordinal >= 0 ? core?.index.groups[ordinal] : nil }

    /// The key path that the flags inside have in common.
    ///
    /// The root has the prefix of the key configuration, which may be nothing. A collection with
    /// ``CollectionKeyConfiguration/skip`` has the key path of the collection around it.
    public var keyPath: FlagKeyPath {
        entry?.keyPath ?? (core?.index.configuration ?? KeyConfiguration()).rootKeyPath
    }

    /// The path of its property in the source; empty for the root.
    public var property: String { core?.index.property(ofGroup: ordinal) ?? "" }

    /// What people should know about the collection, with its name filled in where there is one.
    public var metadata: FlagMetadata {
        guard let core else { return FlagMetadata() }
        guard let entry else { return core.metadata }
        let declaration = core.declared.groups[ordinal].declaration
        return declaration.metadata.named(declaration.name, orElse: entry.label)
    }

    /// The flags right inside the collection, by ``FlagMetadata/order`` and then as declared.
    public var flags: [FlagReference] {
        (core?.references { $0.group == ordinal } ?? []).inOrder { $0.metadata.order }
    }

    /// The collections right inside the collection, by ``FlagMetadata/order`` and then as declared.
    public var groups: [FlagGroup] {
        guard let core else { return [] }
        return core.index.groups.indices
            .filter { core.index.groups[$0].parent == ordinal }
            .map { FlagGroup(owner: core, ordinal: $0) }
            .inOrder { $0.metadata.order }
    }

    /// Every flag inside the collection and the collections in it: its own first, then group by group.
    public var allFlags: [FlagReference] { flags + groups.flatMap(\.allFlags) }
}
