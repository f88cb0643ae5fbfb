/// A collection whose flags are no properties: it lists them, since reflection would not find them.
package protocol ListedFlagCollection: FlagCollectionProtocol {
    /// The flags in the order of their construction, each with the name that stands for a property's.
    var listedFlags: [(name: String, slotAddress: UInt)] { get }
}
