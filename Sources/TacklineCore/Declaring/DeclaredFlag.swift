/// A declaration of a flag of any type.
package protocol DeclaredFlag: AnyObject, Sendable {
    associatedtype Value: FlagValue

    /// The declaration itself, with its type.
    var typed: FlagDeclaration<Value> { get }
    var name: String? { get }
    var key: FlagKey? { get }
    var defaultValue: Value { get }
    var excludedProviderTypes: [ObjectIdentifier] { get }
    var updatePolicy: FlagUpdatePolicy { get }
    var isComputed: Bool { get }
    var metadata: FlagMetadata { get }
    var site: FlagSite { get }
    var identity: FlagDefaultIdentity { get }
    var rootType: (any Sendable.Type)? { get }
    /// The same declaration without what it says about the flag and without its closures, which may hold anything.
    var withoutClosures: any DeclaredFlag { get }
}

extension FlagDeclaration: DeclaredFlag {
    package var typed: FlagDeclaration<Value> { self }
    package var rootType: (any Sendable.Type)? { computed?.rootType }

    package var withoutClosures: any DeclaredFlag {
        FlagDeclaration(
            name: nil, key: nil, defaultValue: defaultValue, excludedProviderTypes: [], updatePolicy: .live,
            computedValue: nil, computed: nil, metadata: FlagMetadata(), site: site)
    }
}
