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
    var identity: FlagDefaultIdentity { get }
    var rootType: (any Sendable.Type)? { get }
}

extension FlagDeclaration: FlagDeclarationProtocol {
    package var rootType: (any Sendable.Type)? { computed?.rootType }
}
