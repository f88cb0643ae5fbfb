/// A guard that holds values of providers back: the launch guard.
///
/// Call the methods from any thread, and hold no lock. A loader asks its guard about each value of a provider, before
/// the flag's type decodes it.
package protocol FlagValueGuard: AnyObject, Sendable {
    /// Returns the reason why a value is held back, as a phrase, or `nil` if it may be used.
    func reasonToHoldBack(_ value: EncodedFlagValue, for key: FlagKeyPath, from provider: String) -> String?

    /// Returns the reason why a value is held back. If it isn't, records that a read is about to use it.
    func admit(_ value: EncodedFlagValue, for key: FlagKeyPath, from provider: String) -> String?

    /// Returns whether any value of a provider is held back.
    func holdsBackValues(of provider: String) -> Bool

    /// Holds back no value of a flag any more.
    ///
    /// - Throws: ``FlagError`` if that can't be stored. It applies to this process only then.
    func release(_ key: FlagKeyPath) throws(FlagError)

    /// Adds an observer, which is held weakly and notified when values have been released.
    func observe(_ observer: FlagProviderObserver)
}
