extension FlagsLoader {
    /// The chain with the priorities of its providers.
    ///
    /// Setting it is atomic for readers: each read sees the old chain or the new one. Overrides that the environment
    /// does not take are left out and reported, so what you read may be less than what you set.
    public var chain: ProviderChain {
        get { loaded.givenChain }
        set { loaded.setChain(newValue) }
    }

    /// Changes the chain in one step.
    ///
    /// ```swift
    /// loader.updateChain { $0.insert(demoValues, priority: .testing) }
    /// ```
    ///
    /// - Parameter change: Called again, with the newer chain, if somebody else changed the chain meanwhile. It may read
    ///   flags.
    /// - Throws: What the closure throws. Nothing has changed then.
    public func updateChain<Failure: Error>(
        _ change: (inout ProviderChain) throws(Failure) -> Void
    ) throws(Failure) {
        try loaded.updateChain(change)
    }

    /// Where the program runs, as the loader was told.
    public var environment: FlagEnvironment { loaded.environment }
}
