/// The arguments of one `@Flag(…)`.
///
/// The class is not generic, and neither is the code that resolves values, because generic code is compiled for each
/// type of flag. Only ``Flag``, ``FlagHandle`` and the sequences of values are generic. Inside, a value is an
/// ``ErasedFlagValue`` of the type ``valueType``.
package final class FlagDeclaration: Sendable {
    /// A computed value that reads other flags.
    package struct RootComputation: Sendable {
        package let rootType: any Sendable.Type
        /// Computes the value from the root. It is `nil` if the closure returns `nil` or if the root is not of
        /// ``rootType``.
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
    let computedValue: (@Sendable () -> ErasedFlagValue?)?
    let computed: RootComputation?
    /// The bounds besides those of the type, or `nil`.
    package let bounds: EncodedFlagBounds?
    /// Returns whether a value is within the bounds, or `nil` if there are none.
    let isWithinBounds: (@Sendable (ErasedFlagValue) -> Bool)?
    /// The type of the flag's property, by which reflection finds the flag's slot.
    package let property: any FlagProperty.Type

    // Stored, because each resolution needs them and a call through the type is slow.
    /// Whether null is a value of the flag.
    let takesNull: Bool
    let isInline: Bool
    let isWord: Bool

    package init<Value: FlagValue>(
        name: String?, key: FlagKey?, defaultValue: Value, bounds: FlagBounds<Value>? = nil,
        excludedProviderTypes: [ObjectIdentifier] = [], updatePolicy: FlagUpdatePolicy = .live,
        computedValue: (@Sendable () -> Value?)? = nil, computed: RootComputation? = nil, metadata: FlagMetadata,
        site: FlagSite
    ) {
        self.name = name
        self.key = key
        valueType = Value.self
        property = Flag<Value>.self
        self.defaultValue = ErasedFlagValue(defaultValue)
        self.excludedProviderTypes = excludedProviderTypes
        self.updatePolicy = updatePolicy
        takesNull = Value.takesNull
        isInline = FlagSlot.isInline(Value.self)
        isWord = FlagSlot.isWord(Value.self)
        if let computedValue {
            self.computedValue = { computedValue().map { ErasedFlagValue($0) } }
        } else {
            self.computedValue = nil
        }
        self.computed = computed
        self.bounds = bounds?.encoded
        if let bounds {
            isWithinBounds = { bounds.contains($0.as(Value.self)) }
        } else {
            isWithinBounds = nil
        }
        self.metadata = metadata
        self.site = site
    }

    private init(withoutClosuresOf other: FlagDeclaration) {
        name = other.name
        key = other.key
        valueType = other.valueType
        property = other.property
        defaultValue = other.defaultValue
        excludedProviderTypes = other.excludedProviderTypes
        updatePolicy = other.updatePolicy
        takesNull = other.takesNull
        isInline = other.isInline
        isWord = other.isWord
        computedValue = nil
        computed = nil
        bounds = other.bounds
        isWithinBounds = other.isWithinBounds
        metadata = other.metadata
        site = other.site
    }

    /// The declaration without its closures. It may be kept as long as the process, unlike a closure, which may own any
    /// object.
    var withoutClosures: FlagDeclaration { isComputed ? FlagDeclaration(withoutClosuresOf: self) : self }

    package var isComputed: Bool { computedValue != nil || computed != nil }
    /// The collection that the flag is computed from, or `nil`.
    var rootType: (any Sendable.Type)? { computed?.rootType }

    /// Calls the flag's closure. Returns `nil` if there is none or if it returns `nil`, so that the providers are
    /// asked.
    func computedValue(in root: (any Sendable)?) -> ErasedFlagValue? {
        computedValue?() ?? root.flatMap { computed?.value($0) }
    }

    /// Returns the value of the flag's type for an encoded value.
    ///
    /// - Throws: ``FlagValueError`` if the type refuses the value, or if it is outside of the flag's bounds.
    package func decode(_ encoded: EncodedFlagValue) throws(FlagValueError) -> ErasedFlagValue {
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

    // MARK: Comparing

    /// Returns whether two declarations have the same arguments. Closures are ignored.
    func isSame(as other: FlagDeclaration) -> Bool {
        guard self !== other else { return true }
        return isSame(
            site: other.site, valueType: other.valueType, key: other.key, name: other.name, metadata: other.metadata,
            excludedProviderTypes: other.excludedProviderTypes, updatePolicy: other.updatePolicy)
            && bounds == other.bounds && hasSameDefault(as: other)
    }

    func isSame(
        site: FlagSite, valueType: any FlagValue.Type, key: FlagKey?, name: String?, metadata: FlagMetadata,
        excludedProviderTypes: [ObjectIdentifier], updatePolicy: FlagUpdatePolicy
    ) -> Bool {
        // Most flags have neither a key nor a name nor excluded providers, which is quicker to find out than to
        // compare.
        guard self.site == site, self.valueType == valueType, self.updatePolicy == updatePolicy else { return false }
        return (self.key == nil && key == nil || self.key == key)
            && (self.name == nil && name == nil || self.name == name)
            && (self.excludedProviderTypes.isEmpty && excludedProviderTypes.isEmpty
                || self.excludedProviderTypes == excludedProviderTypes)
            && self.metadata == metadata
    }

    /// Returns whether two declarations have the same type and default. It may encode the defaults, which may run
    /// foreign code, so the caller must hold no lock.
    func hasSameDefault(as other: FlagDeclaration) -> Bool {
        func isSame<Value: FlagValue>(as type: Value.Type) -> Bool {
            hasDefault(other.defaultValue.as(type))
        }
        return self === other || valueType == other.valueType && isSame(as: valueType)
    }

    /// Returns whether the default is equal to a value of the flag's type. The caller must hold no lock.
    func hasDefault<Value: FlagValue>(_ value: Value) -> Bool { defaultValue.isEqual(to: value) }
}

extension FlagDeclaration: CustomReflectable {
    /// A mirror without children, so that whatever leads to a declaration is dumped without the default, which may be
    /// secret.
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// The arguments of one `@FlagCollection(…)`.
package final class FlagCollectionDeclaration: Sendable {
    package let name: String?
    package let keyConfiguration: CollectionKeyConfiguration
    package let metadata: FlagMetadata
    package let site: FlagSite
    /// The type of the collection's property, by which reflection finds the collection.
    package let property: any FlagCollectionProperty.Type

    init(
        name: String?, keyConfiguration: CollectionKeyConfiguration, metadata: FlagMetadata, site: FlagSite,
        property: any FlagCollectionProperty.Type
    ) {
        self.name = name
        self.keyConfiguration = keyConfiguration
        self.metadata = metadata
        self.site = site
        self.property = property
    }

    func isSame(as other: FlagCollectionDeclaration) -> Bool {
        self === other
            || site == other.site && property == other.property && keyConfiguration == other.keyConfiguration
                && name == other.name && metadata == other.metadata
    }
}

/// A flag's value without its type: the bits of a trivial value of up to a word, or an object that holds the value.
///
/// The type is not stored: it is that of the flag's declaration. Call ``as(_:)`` with that type only.
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
        // A word is aligned for every type that fits in it. An unaligned load would take ten times as long.
        case .word(var word): unsafe ErasedFlagValue.load(&word)
        case .node(let node): unsafe unsafeDowncast(node, to: FlagNode<Value>.self).value
        }
    }

    private static func load<Value>(_ word: UnsafeRawPointer) -> Value { unsafe word.load(as: Value.self) }

    /// Returns whether the value is equal to another one of its type. It may run foreign code, so the caller must hold
    /// no lock.
    ///
    /// The type need not be `Equatable`. The bits are compared first and, if they differ, the encoded forms.
    func isEqual<Value: FlagValue>(to value: Value) -> Bool {
        switch self {
        case .word(let word):
            if case .word(let other) = ErasedFlagValue(value) { return word == other }
            return false
        case .node(let node):
            let known = unsafe unsafeDowncast(node, to: FlagNode<Value>.self).value
            let isIdentical = unsafe withUnsafeBytes(of: known) { bytes in
                unsafe withUnsafeBytes(of: value) { unsafe bytes.elementsEqual($0) }
            }
            if isIdentical { return true }
            // Encoding may create flags, which don't belong to the current construction.
            return FlagConstruction.withoutConstruction {
                guard let encoded = try? known.encoded else { return false }
                return (try? value.encoded) == encoded
            }
        }
    }
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
    /// The description of a place that is not a line of a file, or `nil`.
    package let label: String?

    package init(fileID: StaticString, line: UInt, column: UInt, label: String? = nil) {
        self.fileID = fileID
        self.line = line
        self.column = column
        self.label = label
    }

    /// The address of the literal, which is faster to compare than its text. If a binary holds a literal twice, one
    /// place has two sites, which is harmless.
    private var address: UInt {
        fileID.hasPointerRepresentation ? UInt(bitPattern: fileID.utf8Start) : UInt(fileID.unicodeScalar.value)
    }

    package static func == (left: FlagSite, right: FlagSite) -> Bool {
        left.line == right.line && left.column == right.column && left.address == right.address
            && (left.label == nil && right.label == nil || left.label == right.label)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(address)
        hasher.combine(line)
        hasher.combine(column)
        hasher.combine(label)
    }
}

extension FlagSite: CustomStringConvertible { package var description: String { label ?? "\(fileID):\(line)" } }
