/// The arguments of one `@Flag(…)`. Values are ``ErasedFlagValue``s, and ``valueType`` is their type.
///
/// It is not generic, and neither is the code that finds values, since generic code is compiled for each type of flag. Only
/// the types that users see are generic (``Flag``, ``FlagHandle``).
package final class FlagDeclaration: Sendable {
    /// A computed value that reads other flags.
    package struct RootComputation: Sendable {
        package let rootType: any Sendable.Type
        /// Returns `nil` also if the root is not of ``rootType``.
        package let value: @Sendable (any Sendable) -> ErasedFlagValue?
    }

    package let name: String?
    package let key: FlagKey?
    package let valueType: any FlagValue.Type
    package let defaultValue: ErasedFlagValue
    package let excludedProviderTypes: [ObjectIdentifier]
    package let updatePolicy: FlagUpdatePolicy
    package let metadata: FlagMetadata
    package let site: FlagSite
    /// Whether null is a value of the flag, and does not mean "no opinion".
    let takesNull: Bool
    /// Whether values fit in the state of a slot: see `FlagSlot.isInline(_:)`.
    let isInline: Bool
    let computedValue: (@Sendable () -> ErasedFlagValue?)?
    let computed: RootComputation?

    package init<Value: FlagValue>(
        name: String?, key: FlagKey?, defaultValue: Value, excludedProviderTypes: [ObjectIdentifier] = [],
        updatePolicy: FlagUpdatePolicy = .live, computedValue: (@Sendable () -> Value?)? = nil,
        computed: RootComputation? = nil, metadata: FlagMetadata, site: FlagSite
    ) {
        self.name = name
        self.key = key
        valueType = Value.self
        self.defaultValue = ErasedFlagValue(defaultValue)
        self.excludedProviderTypes = excludedProviderTypes
        self.updatePolicy = updatePolicy
        takesNull = Value.takesNull
        isInline = FlagSlot.isInline(Value.self)
        if let computedValue {
            self.computedValue = { computedValue().map { ErasedFlagValue($0) } }
        } else {
            self.computedValue = nil
        }
        self.computed = computed
        self.metadata = metadata
        self.site = site
    }

    /// Identifies `Flag<Value>`. Finding it takes long, so ask for it once for each type of value.
    var propertyType: ObjectIdentifier {
        func id<Value: FlagValue>(_ type: Value.Type) -> ObjectIdentifier { ObjectIdentifier(Flag<Value>.self) }
        return id(valueType)
    }

    package var isComputed: Bool { computedValue != nil || computed != nil }
    /// The collection that the flag is computed from; `nil` for others.
    var rootType: (any Sendable.Type)? { computed?.rootType }

    /// Calls the flag's closure. Returns `nil` if there is none or if it returns `nil`, so that the providers are asked.
    func computedValue(in root: any Sendable) -> ErasedFlagValue? { computedValue?() ?? computed?.value(root) }

    /// Makes a value of the flag's type from its neutral form.
    package func decode(_ encoded: EncodedFlagValue) throws(FlagValueError) -> ErasedFlagValue {
        func decode<Value: FlagValue>(as type: Value.Type) throws(FlagValueError) -> ErasedFlagValue {
            ErasedFlagValue(try Value(encoded: encoded))
        }
        return try decode(as: valueType)
    }

    /// Returns the neutral form of a value of the flag's type, or `nil` if encoding throws.
    package func encode(_ value: ErasedFlagValue) -> EncodedFlagValue? {
        func encode<Value: FlagValue>(as type: Value.Type) -> EncodedFlagValue? { try? value.as(type).encoded }
        return encode(as: valueType)
    }
}

/// The arguments of one `@FlagCollection(…)`.
package final class FlagCollectionDeclaration: Sendable {
    package let name: String?
    package let keyConfiguration: CollectionKeyConfiguration
    package let metadata: FlagMetadata
    package let site: FlagSite
    /// Identifies `FlagCollection<Group>`.
    let propertyType: ObjectIdentifier
    /// Returns the collection in a property of that type, given the property's address.
    let group: @Sendable (UnsafeRawPointer) -> any FlagCollectionProtocol

    init(
        name: String?, keyConfiguration: CollectionKeyConfiguration, metadata: FlagMetadata, site: FlagSite,
        propertyType: ObjectIdentifier, group: @escaping @Sendable (UnsafeRawPointer) -> any FlagCollectionProtocol
    ) {
        self.propertyType = propertyType
        self.group = group
        self.name = name
        self.keyConfiguration = keyConfiguration
        self.metadata = metadata
        self.site = site
    }
}

/// A flag's value without its type: the bits of a trivial value of up to a word, or an object that holds the value.
///
/// The type is that of the flag's declaration. The methods may be called for that type only.
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

    package func `as`<Value: FlagValue>(_ type: Value.Type) -> Value {
        switch self {
        // A value that fits in a word is aligned as one; a load that allowed for less would take ten times as long.
        case .word(var word): unsafe ErasedFlagValue.load(&word)
        case .node(let node): unsafe unsafeDowncast(node, to: FlagNode<Value>.self).value
        }
    }

    private static func load<Value>(_ word: UnsafeRawPointer) -> Value { unsafe word.load(as: Value.self) }
}

/// A value that is too big for a word.
@usableFromInline
package final class FlagNode<Value: FlagValue>: Sendable {
    @usableFromInline let value: Value

    init(_ value: Value) { self.value = value }
}

/// Where in the source a flag or a collection is declared. With the type of its values it identifies a flag's declaration
/// within the process.
package struct FlagSite: Sendable, Hashable {
    package let fileID: StaticString
    package let line: UInt
    package let column: UInt
    /// The description of a place that is not a line of a file; `nil` for others.
    package let label: String?

    package init(fileID: StaticString, line: UInt, column: UInt, label: String? = nil) {
        self.fileID = fileID
        self.line = line
        self.column = column
        self.label = label
    }

    /// The address of the literal, which is quick to compare. A literal that exists twice makes two sites, which does no harm.
    private var address: UInt {
        fileID.hasPointerRepresentation ? UInt(bitPattern: fileID.utf8Start) : UInt(fileID.unicodeScalar.value)
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

extension FlagSite: CustomStringConvertible { package var description: String { label ?? "\(fileID):\(line)" } }
