public import TacklineCore

/// A provider made of closures: one that answers, one that begins to observe the source, one that ends it.
///
/// ```swift
/// let settings = ClosureProvider(
///     name: "settings",
///     fetch: { key in store.text(for: key.text).map { .string($0) } },      // nil where there is nothing
///     observe: { changed in store.addListener { changed() } },               // returns what stopObserving gets
///     stopObserving: { listener in store.remove(listener) }
/// )
/// ```
///
/// Values stay in the source; the loader asks for one again once the source has said that something changed. The source is
/// observed while somebody observes the provider, as a loader does whose chain it is in. For a source whose values come
/// from elsewhere while the program runs, such as a vendor's SDK, use ``VendorProvider``. A source that cannot tell
/// changes makes a `ComputedProvider`.
///
/// Closures are called from any thread and never under a lock.
public final class ClosureProvider: FlagProvider {
    /// Its name in messages and explanations, and its id in a chain.
    public let name: String

    private let fetch: @Sendable (FlagKeyPath) -> EncodedFlagValue?
    private let currentStatus: @Sendable () -> FlagProviderStatus
    private let observation: SourceObservation

    /// Makes a provider. Nothing is called before somebody reads or observes it.
    ///
    /// - Parameters:
    ///   - name: Its name in messages and explanations, and its id in a chain.
    ///   - fetch: Returns the value for a key as of now, or `nil` if the source has none. It must not wait for input or
    ///     output. Should it read a flag that leads back to the same key, it is not asked again for that.
    ///   - observe: Called when the first observer comes, with a closure to be called after each change, once the new
    ///     value can be fetched; from any thread, also before `observe` has returned. A call too many costs every flag
    ///     one resolution.
    ///   - stopObserving: Called with what `observe` returned, exactly once for each call of it: when the last observer
    ///     has gone, or the provider goes.
    ///   - status: How the source is doing.
    public init<Registration: Sendable>(
        name: String = "ClosureProvider",
        fetch: @escaping @Sendable (FlagKeyPath) -> EncodedFlagValue?,
        observe: @escaping @Sendable (_ changed: @escaping @Sendable () -> Void) -> Registration,
        stopObserving: @escaping @Sendable (Registration) -> Void,
        status: @escaping @Sendable () -> FlagProviderStatus = { .ready }
    ) {
        self.name = name
        self.fetch = fetch
        currentStatus = status
        observation = SourceObservation { _, changed in
            let registration = observe(changed)
            return { stopObserving(registration) }
        } changed: { observation, _ in
            observation.tellReset()
        }
    }

    /// Returns what the source holds for a key, or `nil` if it has nothing or the question leads back to itself.
    public func value(for key: FlagKeyPath) -> EncodedFlagValue? {
        FetchInProgress.run(of: self, named: name, for: key) { fetch(key) } ?? nil
    }

    /// Takes an observer, held weakly, which is told that any value may have changed.
    public func observe(_ observer: FlagProviderObserver) -> Bool {
        observation.add(observer)
        return true
    }

    /// What the closure given as `status` returns.
    public var status: FlagProviderStatus { currentStatus() }
}
