extension Flag {
    /// Declares a flag.
    ///
    /// - Parameters:
    ///   - name: The name for people; `nil` stands for the one in `description`, else the property's name.
    ///   - key: Replaces the key made from the property's name.
    ///   - defaultValue: The value where no provider has a usable one.
    ///   - excludedProviders: Types of providers which are never asked for this flag.
    ///   - updatePolicy: When the flag takes a new value: at once, or held for a while.
    ///   - computedValue: Called at each read, from any thread. What it returns wins over every provider; with `nil` the
    ///     providers are asked.
    ///   - description: What people should know about the flag.
    ///   - fileID: Where it is declared, for messages; leave it out, like the next two.
    ///   - line: See `fileID`.
    ///   - column: See `fileID`.
    public init(
        name: String? = nil,
        key: FlagKey? = nil,
        default defaultValue: Value,
        excludedProviders: [any FlagProvider.Type] = [],
        updatePolicy: FlagUpdatePolicy = .live,
        computedValue: (@Sendable () -> Value?)? = nil,
        description: FlagMetadata = FlagMetadata(),
        fileID: StaticString = #fileID,
        line: UInt = #line,
        column: UInt = #column
    ) {
        self.init(
            FlagDeclaration(
                name: name,
                key: key,
                defaultValue: defaultValue,
                excludedProviderTypes: excludedProviders.map { ObjectIdentifier($0) },
                updatePolicy: updatePolicy,
                computedValue: computedValue,
                computed: nil,
                metadata: description,
                site: FlagSite(fileID: fileID, line: line, column: column)
            )
        )
    }

    /// Declares a flag that is computed from other flags of the same root collection.
    ///
    /// ```swift
    /// @Flag(default: false, computed: { (flags: AppFlags) in flags.newCheckout && flags.secrets.oneClick })
    /// var oneClickCheckout: Bool
    /// ```
    ///
    /// Flags that read each other in a circle are reported with the circle; each of them then falls through to its
    /// providers.
    ///
    /// - Parameters:
    ///   - name: The name for people; `nil` stands for the one in `description`, else the property's name.
    ///   - key: Replaces the key made from the property's name.
    ///   - defaultValue: The value where no provider has a usable one.
    ///   - excludedProviders: Types of providers which are never asked for this flag.
    ///   - updatePolicy: When the flag takes a new value: at once, or held for a while.
    ///   - computed: Called at each read, from any thread, with the collection that the loader was made for. What it
    ///     returns wins over every provider; with `nil` the providers are asked.
    ///   - description: What people should know about the flag.
    ///   - fileID: Where it is declared, for messages; leave it out, like the next two.
    ///   - line: See `fileID`.
    ///   - column: See `fileID`.
    public init<Root: FlagCollectionProtocol>(
        name: String? = nil,
        key: FlagKey? = nil,
        default defaultValue: Value,
        excludedProviders: [any FlagProvider.Type] = [],
        updatePolicy: FlagUpdatePolicy = .live,
        computed: @escaping @Sendable (Root) -> Value?,
        description: FlagMetadata = FlagMetadata(),
        fileID: StaticString = #fileID,
        line: UInt = #line,
        column: UInt = #column
    ) {
        self.init(
            FlagDeclaration(
                name: name,
                key: key,
                defaultValue: defaultValue,
                excludedProviderTypes: excludedProviders.map { ObjectIdentifier($0) },
                updatePolicy: updatePolicy,
                computedValue: nil,
                computed: FlagDeclaration.RootComputation(rootType: Root.self) { root in
                    (root as? Root).flatMap(computed)
                },
                metadata: description,
                site: FlagSite(fileID: fileID, line: line, column: column)
            )
        )
    }
}
