public import TacklineCore

extension FlagHandle {
    /// Writes a value as `setValue(_:providers:)` does, and waits for the disk and for other processes without holding up the
    /// caller's actor.
    ///
    /// For interfaces that want to know whether the value is kept: `try await flags.$newCheckout.write(true)`. When the call
    /// returns, the value is in force, and as durable as the provider makes it. It occupies a thread of the concurrent pool
    /// meanwhile.
    ///
    /// - Parameters:
    ///   - value: The value; `nil` removes what the provider holds.
    ///   - providers: The providers in the order of the writes; `nil` for the first writable provider of the chain.
    /// - Throws: `FlagWriteError` at the first provider that fails; it names those that took the value before.
    @concurrent
    public func write(
        _ value: Value?, providers: [FlagProviderSelector]? = nil
    ) async throws(FlagWriteError) {
        try setValue(value, providers: providers)
    }
}
