/// A collection inside another one.
///
/// ```swift
/// @FlagCollection(description: "Experiments not yet announced")
/// var secrets: SecretExperiments          // its flags are asked for under "secrets/…"
/// ```
@propertyWrapper
public struct FlagCollection<Group: FlagCollectionProtocol>: Sendable {
    @usableFromInline let slot: Unmanaged<FlagCollectionSlot>
    @usableFromInline let life: UInt32

    /// The nested collection.
    public let wrappedValue: Group

    /// The nested collection as its loader holds it: its key path, its flags, its own nested collections.
    public var projectedValue: FlagGroup {
        let bound = slot.takeUnretainedValue().owner(life: life)
        return FlagGroup(owner: bound?.owner, ordinal: bound?.ordinal ?? -1)
    }

    /// Declares a nested collection.
    ///
    /// - Parameters:
    ///   - name: The name for people; `nil` stands for the one in `description`, else the property's name.
    ///   - key: The component of the key paths, as it stands. Short for `keyConfiguration: .custom(…)`, and stronger.
    ///   - keyConfiguration: What the collection adds to the key paths of its flags.
    ///   - description: What people should know about it.
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
            site: FlagSite(fileID: fileID, line: line, column: column))
        let slot = FlagCollectionSlot.take(for: declaration)
        self.slot = Unmanaged.passUnretained(slot.slot)
        life = slot.life
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
