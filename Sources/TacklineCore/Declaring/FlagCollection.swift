/// A collection inside another one.
///
/// ```swift
/// @FlagCollection(description: "Experiments not yet announced")
/// var secrets: SecretExperiments          // its flags are asked for under "secrets/…"
/// ```
@propertyWrapper
public struct FlagCollection<Group: FlagCollectionProtocol>: Sendable {
    /// Never dangles: see ``FlagSlot``. Nothing but its binding is read through it.
    @usableFromInline let slot: Unmanaged<FlagSlot>
    @usableFromInline let tag: UInt64

    /// The nested collection.
    public let wrappedValue: Group

    /// The nested collection as its loader holds it: its key path, its flags, its own nested collections.
    public var projectedValue: FlagGroup {
        let binding = slot.takeUnretainedValue().binding(tag: tag)
        return FlagGroup(owner: binding?.owner.owner, ordinal: binding?.ordinal ?? -1)
    }

    /// Declares a nested collection.
    ///
    /// - Parameters:
    ///   - name: The name for people; `nil` stands for the one in `description`, else the property's name.
    ///   - key: The component of the key paths, as it stands. Short for `keyConfiguration: .custom(…)`, and stronger.
    ///   - keyConfiguration: What the collection adds to the key paths of its flags.
    ///   - description: What people should know about it.
    ///   - fileID: Where it is declared, for messages; leave it out, like the next two.
    ///   - line: See `fileID`.
    ///   - column: See `fileID`.
    public init(
        name: String? = nil,
        key: String? = nil,
        keyConfiguration: CollectionKeyConfiguration = .default,
        description: FlagMetadata = FlagMetadata(),
        fileID: StaticString = #fileID,
        line: UInt = #line,
        column: UInt = #column
    ) {
        let declaration = FlagCollectionDeclaration(
            name: name,
            keyConfiguration: key.map { .custom($0) } ?? keyConfiguration,
            metadata: description,
            site: FlagSite(fileID: fileID, line: line, column: column)
        )
        if let taken = FlagConstruction.current?.add(declaration) {
            slot = Unmanaged.passUnretained(taken.slot)
            tag = FlagSlot.tag(life: taken.life)
        } else {
            slot = Unmanaged.passUnretained(FlagHome.home(forCollectionAt: declaration.site, hint: nil).unboundSlot())
            tag = FlagSlot.tag(life: 0)
        }
        wrappedValue = Group()
    }
}

extension FlagCollection: ReflectedFlagCollection {
    package var slotAddress: UInt { UInt(bitPattern: slot.toOpaque()) }
    package var group: any FlagCollectionProtocol { wrappedValue }
    package static var groupOffset: Int? { MemoryLayout<Self>.offset(of: \.wrappedValue) }
}

/// What reflection finds for a nested collection.
package protocol ReflectedFlagCollection: ReflectedFlag {
    var group: any FlagCollectionProtocol { get }
    /// Where the nested collection begins, in bytes.
    static var groupOffset: Int? { get }
}
