/// A flag of any type, as it is found by its path or in a list: for browsers, tools and tests.
///
/// It deals in the neutral form of values. It keeps the heart of its loader alive. Cheap to copy, safe from any thread.
public struct FlagReference: Sendable {
    package let loaded: LoadedFlags
    package let ordinal: Int

    package init(loaded: LoadedFlags, ordinal: Int) {
        self.loaded = loaded
        self.ordinal = ordinal
    }

    private var flag: FlagConstruction.FlagRecord { loaded.flags[ordinal] }

    /// The flag's key. No two flags of a loader have the same, unless that was reported as a mistake.
    public var keyPath: FlagKeyPath { loaded.index.entries[ordinal].keyPath }

    /// The path of its property in the source: `secrets.boomFeature`.
    public var property: String { loaded.index.entries[ordinal].property }

    /// What people should know about the flag, with its name filled in.
    public var metadata: FlagMetadata { loaded.metadata(of: ordinal) }

    /// The flag's type.
    public var valueType: any FlagValue.Type { FlagReference.type(of: flag.declaration) }

    /// Whether the flag has a `computedValue` or `computed` closure.
    public var isComputed: Bool { flag.declaration.isComputed }

    /// When the flag takes a new value.
    public var updatePolicy: FlagUpdatePolicy { flag.declaration.updatePolicy }

    /// The value, as reading the property gives it, in its neutral form. It does not count as a read that fixes a flag
    /// (``FlagUpdatePolicy``).
    public var encodedValue: EncodedFlagValue { FlagReference.value(of: flag.declaration, loaded, ordinal) }

    /// The default in its neutral form.
    public var encodedDefault: EncodedFlagValue { FlagReference.defaultValue(of: flag.declaration, loaded, ordinal) }

    /// Asks every provider, and says who won and why. It does not count as a use of the flag.
    public func explain() -> FlagExplanation {
        FlagReference.explanation(of: flag.declaration, loaded, ordinal)
    }

    /// Returns the flag's handle, or `nil` if the flag is of another type.
    public func handle<Value: FlagValue>(as type: Value.Type) -> FlagHandle<Value>? {
        guard flag.declaration is FlagDeclaration<Value> else { return nil }
        return FlagHandle(slot: flag.slot, tag: FlagSlot.tag(life: flag.life))
    }

    /// Writes a value in its neutral form, or removes it with `nil`.
    ///
    /// The flag's type has to take the value, so nothing unusable is written.
    ///
    /// - Parameters:
    ///   - value: The value; ``EncodedFlagValue/unparsed(_:)`` for a text that the flag's type shall read.
    ///   - ids: The ids of the providers, in the order of the writes; `nil` for the first writable one.
    /// - Throws: ``FlagWriteError``, as ``FlagHandle/setValue(_:)`` does, and if the type refuses the value.
    public func setEncodedValue(
        _ value: EncodedFlagValue?, providersNamed ids: [String]? = nil
    ) throws(FlagWriteError) {
        var accepted = value
        if let value {
            do throws(FlagValueError) {
                accepted = try FlagReference.normalized(value, for: flag.declaration)
            } catch {
                throw FlagWriteError(key: keyPath, reason: .value(error), written: [])
            }
        }
        try loaded.write(accepted, ordinal: ordinal, to: ids.map { $0.map { .id($0) } })
    }

    // MARK: Opening the declaration's type

    private static func type<Declaration: FlagDeclarationProtocol>(
        of declaration: Declaration
    ) -> any FlagValue.Type {
        Declaration.Value.self
    }

    private static func value<Declaration: FlagDeclarationProtocol>(
        of declaration: Declaration, _ loaded: LoadedFlags, _ ordinal: Int
    ) -> EncodedFlagValue {
        guard let declaration = declaration as? FlagDeclaration<Declaration.Value> else { return .null }
        return loaded.encoded(loaded.resolution(declaration, ordinal: ordinal).value) ?? .null
    }

    private static func defaultValue<Declaration: FlagDeclarationProtocol>(
        of declaration: Declaration, _ loaded: LoadedFlags, _ ordinal: Int
    ) -> EncodedFlagValue {
        guard let declaration = declaration as? FlagDeclaration<Declaration.Value> else { return .null }
        return loaded.encoded(loaded.defaultValue(declaration, ordinal: ordinal)) ?? .null
    }

    private static func explanation<Declaration: FlagDeclarationProtocol>(
        of declaration: Declaration, _ loaded: LoadedFlags, _ ordinal: Int
    ) -> FlagExplanation {
        guard let declaration = declaration as? FlagDeclaration<Declaration.Value> else {
            return FlagExplanation(
                key: loaded.index.entries[ordinal].keyPath, valueType: "\(Declaration.Value.self)",
                metadata: declaration.metadata, value: .null, source: .default, reason: "", scoped: nil, computed: nil,
                answers: [],
                defaultValue: .null)
        }
        return loaded.explanation(declaration, ordinal: ordinal)
    }

    /// The form in which the flag's type itself would write the value.
    private static func normalized<Declaration: FlagDeclarationProtocol>(
        _ value: EncodedFlagValue, for declaration: Declaration
    ) throws(FlagValueError) -> EncodedFlagValue {
        try Declaration.Value(encoded: value).encoded
    }
}

extension FlagReference: Identifiable {
    /// The key.
    public var id: FlagKeyPath { keyPath }
}
