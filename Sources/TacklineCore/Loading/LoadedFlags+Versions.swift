import Synchronization

extension LoadedFlags {
    /// Counts what may have changed values of the loader's flags: notices of providers, changes of the chain and of
    /// defaults. It is counted before any read can see what happened.
    package var changeCount: UInt64 { invalidator.changeCount }

    /// Counts what may have changed a flag's value or a provider's answer for it.
    ///
    /// Who reads it before asking the providers and finds the same number later knows that they would answer the same,
    /// unless the flag is computed or a provider cannot tell changes.
    package func version(of ordinal: Int) -> UInt32 {
        flags[ordinal].slot.invalidations.load(ordering: .acquiring)
    }
}
