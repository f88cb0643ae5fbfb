/// Everything that was written in one `@Flag(…)`.
package final class FlagDeclaration<Value: FlagValue>: Sendable {
    /// A computed value that reads other flags, erased to the root that it expects.
    package struct RootComputation: Sendable {
        package let rootType: any Sendable.Type
        /// Returns `nil` also if the root is of another type.
        package let value: @Sendable (any Sendable) -> Value?

        package init(rootType: any Sendable.Type, value: @escaping @Sendable (any Sendable) -> Value?) {
            self.rootType = rootType
            self.value = value
        }
    }

    package let name: String?
    package let key: FlagKey?
    package let defaultValue: Value
    package let identity: FlagDefaultIdentity
    package let excludedProviderTypes: [ObjectIdentifier]
    package let updatePolicy: FlagUpdatePolicy
    package let computedValue: (@Sendable () -> Value?)?
    package let computed: RootComputation?
    package let metadata: FlagMetadata
    package let site: FlagSite

    package init(
        name: String?,
        key: FlagKey?,
        defaultValue: Value,
        excludedProviderTypes: [ObjectIdentifier],
        updatePolicy: FlagUpdatePolicy,
        computedValue: (@Sendable () -> Value?)?,
        computed: RootComputation?,
        metadata: FlagMetadata,
        site: FlagSite
    ) {
        self.name = name
        self.key = key
        self.defaultValue = defaultValue
        identity = FlagDefaultIdentity(of: defaultValue)
        self.excludedProviderTypes = excludedProviderTypes
        self.updatePolicy = updatePolicy
        self.computedValue = computedValue
        self.computed = computed
        self.metadata = metadata
        self.site = site
    }

    package var isComputed: Bool { computedValue != nil || computed != nil }
}
