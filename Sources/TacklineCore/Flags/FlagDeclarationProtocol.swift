/// A declaration of a flag of any type.
package protocol FlagDeclarationProtocol: AnyObject, Sendable {
    associatedtype Value: FlagValue

    var name: String? { get }
    var key: FlagKey? { get }
    var defaultValue: Value { get }
    var excludedProviderTypes: [ObjectIdentifier] { get }
    var isComputed: Bool { get }
    var metadata: FlagMetadata { get }
    var site: FlagSite { get }
    var rootType: (any Sendable.Type)? { get }

    /// Lets the slot, which must be one of this declaration's, answer for a flag of a loader.
    func bind(_ slot: any FlagSlotProtocol, to owner: any FlagOwner, ordinal: Int)
}

extension FlagDeclaration: FlagDeclarationProtocol {
    package var rootType: (any Sendable.Type)? { computed?.rootType }

    package func bind(_ slot: any FlagSlotProtocol, to owner: any FlagOwner, ordinal: Int) {
        guard let slot = slot as? FlagSlot<Value> else { return }
        slot.bind(self, to: owner, ordinal: ordinal)
    }
}
