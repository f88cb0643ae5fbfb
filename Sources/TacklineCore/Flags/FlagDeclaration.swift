/// The arguments of one `@Flag(…)`.
///
/// The class is not generic, and neither is the code that resolves values, because generic code is compiled for each
/// type of flag. Inside, a value is an ``ErasedFlagValue`` of the type ``valueType``.
package final class FlagDeclaration: Sendable {
    /// The display name, which takes precedence over that of the metadata.
    let name: String?
    package let key: FlagKey?
    package let valueType: any FlagValue.Type
    package let defaultValue: ErasedFlagValue
    package let excludedProviderTypes: [ObjectIdentifier]
    package let updatePolicy: FlagUpdatePolicy
    let computation: FlagComputation?
    package let metadata: FlagMetadata
    package let site: FlagSite
    package let bounds: EncodedFlagBounds?
    let isWithinBounds: (@Sendable (ErasedFlagValue) -> Bool)?
    // Stored because each resolution needs them, and a call through the type is slow.
    let takesNull: Bool
    let isSecret: Bool
    /// Whether the flag is a Boolean without bounds, for which ``decode(_:)`` need not open the type.
    private let isPlainBool: Bool

    package init<Value: FlagValue>(
        name: String?, key: FlagKey?, defaultValue: Value, bounds: FlagBounds<Value>? = nil,
        excludedProviders: [any FlagProvider.Type] = [], updatePolicy: FlagUpdatePolicy = .live,
        computation: FlagComputation? = nil, metadata: consuming FlagMetadata, site: FlagSite
    ) {
        (self.name, self.key, self.site, self.updatePolicy) = (name, key, site, updatePolicy)
        valueType = Value.self
        self.defaultValue = ErasedFlagValue(defaultValue)
        excludedProviderTypes = excludedProviders.map { ObjectIdentifier($0) }
        self.computation = computation
        takesNull = Value.takesNull
        isPlainBool = Value.self == Bool.self && bounds == nil
        self.bounds = bounds?.encoded
        // Not by `map`, which is slow for a type that is known at run time only.
        if let bounds {
            isWithinBounds = { bounds.contains($0.as(Value.self)) }
        } else {
            isWithinBounds = nil
        }
        isSecret = metadata.isSecret
        self.metadata = metadata
    }

    package var isComputed: Bool { computation != nil }

    /// Returns the value of the flag's type for an encoded value.
    ///
    /// - Throws: ``FlagValueError`` if the type refuses the value, or if it is outside of the flag's bounds.
    package func decode(_ encoded: EncodedFlagValue) throws(FlagValueError) -> ErasedFlagValue {
        if isPlainBool, case .bool(let value) = encoded { return .word(value ? 1 : 0) }
        func decode<Value: FlagValue>(as type: Value.Type) throws(FlagValueError) -> ErasedFlagValue {
            ErasedFlagValue(try Value(encoded: encoded))
        }
        let value = try decode(as: valueType)
        try checkBounds(of: value, encoded)
        return value
    }

    /// Returns `nil` if encoding throws.
    package func encode(_ value: ErasedFlagValue) -> EncodedFlagValue? {
        func encode<Value: FlagValue>(as type: Value.Type) -> EncodedFlagValue? { try? value.as(type).encoded }
        return encode(as: valueType)
    }
}

extension FlagDeclaration: CustomReflectable {
    /// A mirror without children, so that whatever leads to a declaration is dumped without the default, which may be
    /// secret.
    package var customMirror: Mirror { Mirror(self, children: []) }
}

package struct FlagCollectionDeclaration: Sendable {
    package let keyConfiguration: CollectionKeyConfiguration
    package let metadata: FlagMetadata
    package let site: FlagSite
    /// The type of the collection's property, by which reflection finds the collection.
    package let property: any FlagProperty.Type
    /// The number of the collection around it in the construction, or -1.
    package var parent = -1
}

/// The closure of a computed flag.
package struct FlagComputation: Sendable {
    /// The collection that the closure reads, or `nil` if it takes none.
    let rootType: (any Sendable.Type)?
    /// Computes the value from the root. It returns `nil` if the closure does, or if the root is not of ``rootType``.
    package let value: @Sendable (_ root: (any Sendable)?) -> ErasedFlagValue?

    init?<Value: FlagValue>(_ closure: (@Sendable () -> Value?)?) {
        guard let closure else { return nil }
        rootType = nil
        value = { _ in closure().map { ErasedFlagValue($0) } }
    }

    init<Root: FlagCollectionProtocol, Value: FlagValue>(_ closure: @escaping @Sendable (Root) -> Value?) {
        rootType = Root.self
        value = { root in (root as? Root).flatMap(closure).map { ErasedFlagValue($0) } }
    }
}

/// A flag's value without its type: the bits of a trivial value of up to a word, or an object that holds the value.
///
/// The type is not stored: it is that of the flag's declaration. Call ``as(_:)`` with that type only.
@usableFromInline
package enum ErasedFlagValue: Sendable {
    case word(UInt)
    /// A `FlagNode<Value>`.
    case node(any AnyObject & Sendable)

    package init<Value: FlagValue>(_ value: Value) {
        guard FlagSlot.isWord(Value.self) else {
            self = .node(FlagNode(value))
            return
        }
        var word: UInt = 0
        unsafe withUnsafeMutableBytes(of: &word) { unsafe $0.storeBytes(of: value, as: Value.self) }
        self = .word(word)
    }

    @inlinable package func `as`<Value: FlagValue>(_ type: Value.Type) -> Value {
        switch self {
        // A word is aligned for every type that fits in it. An unaligned load would take ten times as long.
        case .word(var word): unsafe ErasedFlagValue.load(&word)
        case .node(let node): unsafe unsafeDowncast(node, to: FlagNode<Value>.self).value
        }
    }

    @inlinable static func load<Value>(_ word: UnsafeRawPointer) -> Value { unsafe word.load(as: Value.self) }
}

/// An object that holds a value which doesn't fit in a word.
@usableFromInline
package final class FlagNode<Value: FlagValue>: Sendable {
    @usableFromInline let value: Value

    init(_ value: Value) { self.value = value }
}

package struct FlagSite: Sendable, Hashable {
    private let fileID: StaticString
    let line: UInt
    let column: UInt
    /// The enum whose case with the number ``line`` is the flag, and the name of the case; `nil` for a property.
    let feature: (type: any Sendable.Type, name: String)?

    package init(fileID: StaticString, line: UInt, column: UInt) {
        (self.fileID, self.line, self.column, feature) = (fileID, line, column, nil)
    }

    package init(feature: any Sendable.Type, name: String, number: Int) {
        (fileID, line, column, self.feature) = ("", UInt(number), 0, (feature, name))
    }

    /// The address of the literal, which is faster to compare than its text, or of the enum. If a binary holds a literal
    /// twice, one place has two sites, which is harmless.
    var address: UInt {
        if let feature { return UInt(bitPattern: ObjectIdentifier(feature.type)) }
        return fileID.hasPointerRepresentation ? UInt(bitPattern: fileID.utf8Start) : UInt(fileID.unicodeScalar.value)
    }

    package static func == (left: FlagSite, right: FlagSite) -> Bool {
        left.line == right.line && left.column == right.column && left.address == right.address
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(address)
        hasher.combine(line)
        hasher.combine(column)
    }
}

extension FlagSite: CustomStringConvertible {
    package var description: String { feature.map { "\($0.type).\($0.name)" } ?? "\(fileID):\(line)" }
}
