/// A provider whose values can be set.
///
/// What cannot be written does not conform, so it cannot be asked to.
public protocol WritableFlagProvider: FlagProvider {
    /// Sets the value for a key, or removes it with `nil`.
    ///
    /// When the call returns, the next ``FlagProvider/value(for:)`` answers with the new value and observers have been
    /// told. It may wait for input or output; reads do not wait for it.
    ///
    /// - Throws: ``FlagProviderError`` if the value could not be kept. Nothing has changed then, in memory or outside.
    func setValue(_ value: EncodedFlagValue?, for key: FlagKeyPath) throws(FlagProviderError)
}
