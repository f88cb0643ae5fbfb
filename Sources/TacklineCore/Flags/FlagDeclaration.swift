/// The arguments of one `@Flag(…)` without its closure, which may own any object and belongs to the loader's data alone.
///
/// Slots and shapes keep declarations as long as the process exists.
///
/// The class is not generic, and neither is the code that resolves values, because generic code is compiled for each
/// type of flag. Only ``Flag``, ``FlagHandle`` and the sequences of values are generic. Inside, a value is an
/// ``ErasedFlagValue`` of the type ``valueType``.
package final class FlagDeclaration: Sendable {
    package let name: String?
    package let key: FlagKey?
    package let valueType: any FlagValue.Type
    package let defaultValue: ErasedFlagValue
    package let excludedProviderTypes: [ObjectIdentifier]
    package let updatePolicy: FlagUpdatePolicy
    /// Whether the flag has a closure.
    package let isComputed: Bool
    package let metadata: FlagMetadata
    package let site: FlagSite
    /// The bounds besides those of the type, or `nil`.
    package let bounds: EncodedFlagBounds?
    /// Returns whether a value is within the bounds, or `nil` if there are none.
    let isWithinBounds: (@Sendable (ErasedFlagValue) -> Bool)?
    /// Whether null is a value of the flag. It is stored because each resolution needs it and a call through the type is
    /// slow.
    let takesNull: Bool
    /// Whether the flag is a Boolean without bounds, for which ``decode(_:)`` need not open the type.
    private let isPlainBool: Bool
    /// Whether the flag is secret. It is stored because each resolution needs it.
    let isSecret: Bool

    package init<Value: FlagValue>(
        name: String?, key: FlagKey?, defaultValue: Value, bounds: FlagBounds<Value>? = nil,
        excludedProviders: [any FlagProvider.Type] = [], updatePolicy: FlagUpdatePolicy = .live,
        isComputed: Bool = false, metadata: FlagMetadata, site: FlagSite
    ) {
        self.key = key
        valueType = Value.self
        self.defaultValue = ErasedFlagValue(defaultValue)
        excludedProviderTypes = excludedProviders.isEmpty ? [] : excludedProviders.map { ObjectIdentifier($0) }
        self.updatePolicy = updatePolicy
        self.isComputed = isComputed
        takesNull = Value.takesNull
        isPlainBool = Value.self == Bool.self && bounds == nil
        isSecret = metadata.isSecret
        self.bounds = bounds?.encoded
        if let bounds {
            isWithinBounds = { bounds.contains($0.as(Value.self)) }
        } else {
            isWithinBounds = nil
        }
        self.name = name
        self.metadata = metadata
        self.site = site
    }

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

    /// Returns the encoded form of a value of the flag's type, or `nil` if encoding throws.
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

/// The arguments of one `@FlagCollection(…)`.
package struct FlagCollectionDeclaration: Sendable {
    package let name: String?
    package let keyConfiguration: CollectionKeyConfiguration
    package let metadata: FlagMetadata
    package let site: FlagSite
    /// The type of the collection's property, by which reflection finds the collection.
    package let property: any FlagProperty.Type
}

/// The declaration of a flag or of a nested collection.
package enum FlagMemberDeclaration: Sendable {
    case flag(FlagDeclaration)
    indirect case collection(FlagCollectionDeclaration)

    package var flag: FlagDeclaration? { if case .flag(let flag) = self { flag } else { nil } }
    package var collection: FlagCollectionDeclaration? {
        if case .collection(let collection) = self { collection } else { nil }
    }

    package var isFlag: Bool { flag != nil }
    package var site: FlagSite {
        switch self {
        case .flag(let flag): flag.site
        case .collection(let collection): collection.site
        }
    }

    /// Returns whether both have the same place, keys and type. Defaults and metadata may differ.
    func isSame(as other: Self) -> Bool {
        switch (self, other) {
        case (.flag(let own), .flag(let other)):
            return own.site == other.site && own.valueType == other.valueType && own.key == other.key
        case (.collection(let own), .collection(let other)):
            return own.site == other.site && own.property == other.property
                && own.keyConfiguration == other.keyConfiguration
        case (.flag, .collection), (.collection, .flag): return false
        }
    }
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

/// The place in the source where a flag or a collection is declared.
package struct FlagSite: Sendable, Hashable {
    package let fileID: StaticString
    package let line: UInt
    package let column: UInt
    /// The flag that is not a property, or `nil`.
    package let member: FlagMember?

    package init(fileID: StaticString, line: UInt, column: UInt, member: FlagMember? = nil) {
        self.fileID = fileID
        self.line = line
        self.column = column
        self.member = member
    }

    /// The address of the literal, which is faster to compare than its text. If a binary holds a literal twice, one
    /// place has two sites, which is harmless.
    private var address: UInt {
        fileID.hasPointerRepresentation ? UInt(bitPattern: fileID.utf8Start) : UInt(fileID.unicodeScalar.value)
    }

    package static func == (left: FlagSite, right: FlagSite) -> Bool {
        left.line == right.line && left.column == right.column && left.address == right.address
            && left.member?.name == right.member?.name
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(address)
        hasher.combine(line)
        hasher.combine(column)
    }
}

extension FlagSite: CustomStringConvertible {
    package var description: String { member?.description ?? "\(fileID):\(line)" }
}

/// A flag of a collection that is not a property, such as the case of an enum. Its declaration names it.
package final class FlagMember: Sendable, CustomStringConvertible {
    package let name: String
    /// The description of the flag in place of a line of a file.
    package let description: String

    package init(_ name: String, description: String) { (self.name, self.description) = (name, description) }
}
