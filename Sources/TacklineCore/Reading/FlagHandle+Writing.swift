extension FlagHandle {
    /// Writes a value to the first writable provider of the chain, or removes it there with `nil`.
    ///
    /// When the call returns, the next read on this thread sees the write. For an optional flag, `nil` removes too; to
    /// write the value `nil`, pass `.some(nil)`.
    ///
    /// - Throws: ``FlagWriteError``. Nothing has changed then.
    public func setValue(_ value: Value?) throws(FlagWriteError) {
        try write(value, to: nil)
    }

    /// Writes a value to the providers of some types, or removes it there with `nil`.
    ///
    /// For each type, the first provider of exactly that type in the chain is written to.
    ///
    /// - Throws: ``FlagWriteError`` at the first provider that fails; it names those that took the value before. Those
    ///   keep it; the one that failed and the ones behind it have not changed.
    public func setValue(_ value: Value?, providers: [any WritableFlagProvider.Type]) throws(FlagWriteError) {
        try write(value, to: providers.map { .type($0) })
    }

    /// Writes a value to some providers of the chain, or removes it there with `nil`.
    ///
    /// - Throws: ``FlagWriteError`` at the first provider that fails; it names those that took the value before. Those
    ///   keep it; the one that failed and the ones behind it have not changed.
    public func setValue(_ value: Value?, providers: [any WritableFlagProvider]) throws(FlagWriteError) {
        try write(value, to: providers.map { .instance($0) })
    }

    /// Removes the value from the first writable provider of the chain.
    ///
    /// - Throws: ``FlagWriteError``. Nothing has changed then.
    public func resetValue() throws(FlagWriteError) {
        try write(nil, to: nil)
    }

    /// Removes the value from the providers of some types.
    ///
    /// - Throws: ``FlagWriteError``, as `setValue(_:providers:)` with types does.
    public func resetValue(providers: [any WritableFlagProvider.Type]) throws(FlagWriteError) {
        try write(nil, to: providers.map { .type($0) })
    }

    /// Removes the value from some providers of the chain.
    ///
    /// - Throws: ``FlagWriteError``, as `setValue(_:providers:)` with instances does.
    public func resetValue(providers: [any WritableFlagProvider]) throws(FlagWriteError) {
        try write(nil, to: providers.map { .instance($0) })
    }

    /// Changes the default for as long as the loader lives, or restores the declared one with `nil`.
    ///
    /// It concerns this loader only. A flag without a loader stays as it is.
    public func setDefault(_ value: Value?) {
        (owner as? LoadedFlags)?.setDefault(value, ordinal: ordinal)
    }

    private func write(_ value: Value?, to selectors: [FlagProviderSelector]?) throws(FlagWriteError) {
        guard let loaded = owner as? LoadedFlags else {
            throw FlagWriteError(key: nil, reason: .unbound, written: [])
        }
        let encoded: EncodedFlagValue?
        do throws(FlagValueError) {
            encoded = try value?.encoded
        } catch {
            throw FlagWriteError(key: keyPath, reason: .value(error), written: [])
        }
        try loaded.write(encoded, ordinal: ordinal, to: selectors)
    }
}
