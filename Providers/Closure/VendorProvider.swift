public import TacklineCore

/// A provider around a vendor's SDK, which holds its values itself and calls back when some of them changed.
///
/// ```swift
/// let vendor = VendorProvider(
///     name: "LaunchDarkly",
///     values: { (client.allFlags ?? [:]).mapValues(\.encoded) },            // what it does not have is not there
///     observe: { changed in … client.observeAll(owner: owner) { _ in changed() } … },
///     stopObserving: { (owner: ChangeOwner) in client.stopObserving(owner: owner) }
/// )
/// ```
///
/// While somebody observes the provider, as a loader does whose chain it is in, the SDK is asked for all values at the
/// start and after each callback, and reads are answered from what it said last: they never call the SDK, they see all
/// values of one moment, and only values that differ are announced, however often the SDK calls back. Without an observer
/// each read asks the SDK.
///
/// Closures are called from any thread and never under a lock.
public final class VendorProvider: FlagProvider {
    /// Live: the values come from the vendor.
    public let kind = FlagProviderKind.live
    /// Its name in messages and explanations, and its id in a chain.
    public let name: String

    private let cache: VendorCache
    private let observation: SourceObservation
    private let currentStatus: @Sendable () -> FlagProviderStatus

    /// Makes a provider for an SDK that can list its values. Nothing is called before somebody reads or observes it.
    ///
    /// - Parameters:
    ///   - name: Its name in messages and explanations, and its id in a chain.
    ///   - values: Returns every value that the SDK really has, by key, and nothing for those that it does not know or
    ///     only has a default of its own for. It must not wait for input or output. Callbacks that it makes itself, on
    ///     the same thread, are not listened to: what it returns counts.
    ///   - observe: Called when the first observer comes, with a closure to be called after each change, once `values`
    ///     has it; from any thread, also before `observe` has returned.
    ///   - stopObserving: Called with what `observe` returned, exactly once for each call of it: when the last observer
    ///     has gone, or the provider goes.
    ///   - status: How the SDK is doing.
    public init<Registration: Sendable>(
        name: String = "VendorProvider",
        values: @escaping @Sendable () -> [String: EncodedFlagValue],
        observe: @escaping @Sendable (_ changed: @escaping @Sendable () -> Void) -> Registration,
        stopObserving: @escaping @Sendable (Registration) -> Void = { _ in },
        status: @escaping @Sendable () -> FlagProviderStatus = { .ready }
    ) {
        self.name = name
        currentStatus = status
        let cache = VendorCache(name: name, values: values)
        self.cache = cache
        observation = SourceObservation { session, changed in
            let registration = observe(changed)
            _ = cache.refresh(for: session)
            return { stopObserving(registration) }
        } changed: { observation, session in
            // Who read before there were values to compare with cannot be told what changed.
            if cache.refresh(for: session) { observation.tellReset() }
        }
    }

    /// Makes a provider for an SDK that only answers whether a name is active, and calls back.
    ///
    /// Such an SDK says `false` of names that it has never heard of. That would hide the providers behind this one, so it
    /// is only asked for names that you say it knows; all others are absent.
    ///
    /// - Parameters:
    ///   - name: Its name in messages and explanations, and its id in a chain.
    ///   - knownNames: Returns the names that the SDK knows, as your flags' keys have them. If the vendor's names differ
    ///     from your keys, give those flags the vendor's: `@Flag(key: .absolute("checkout-v2"), …)`.
    ///   - isActive: Asks the SDK. It must not wait for input or output.
    ///   - observe: Called when the first observer comes, with a closure to be called after each change, once `isActive`
    ///     has it; from any thread, also before `observe` has returned.
    ///   - stopObserving: Called with what `observe` returned, exactly once for each call of it: when the last observer
    ///     has gone, or the provider goes.
    ///   - status: How the SDK is doing.
    public convenience init<Registration: Sendable>(
        name: String = "VendorProvider",
        knownNames: @escaping @Sendable () -> Set<String>,
        isActive: @escaping @Sendable (_ name: String) -> Bool,
        observe: @escaping @Sendable (_ changed: @escaping @Sendable () -> Void) -> Registration,
        stopObserving: @escaping @Sendable (Registration) -> Void = { _ in },
        status: @escaping @Sendable () -> FlagProviderStatus = { .ready }
    ) {
        self.init(
            name: name,
            values: {
                Dictionary(uniqueKeysWithValues: knownNames().map { ($0, EncodedFlagValue.bool(isActive($0))) })
            },
            observe: observe, stopObserving: stopObserving, status: status)
    }

    /// All values, of the last callback or, without an observer, as of now.
    public var document: FlagDocument? { cache.document(in: observation.session) }

    /// Returns the value for a key, by flat key or in nested objects, or `nil` where the SDK has none.
    public func value(for key: FlagKeyPath) -> EncodedFlagValue? {
        cache.document(in: observation.session).value(for: key)
    }

    /// Takes an observer, held weakly, which is told what each callback changed.
    public func observe(_ observer: FlagProviderObserver) -> Bool {
        // First the SDK, so that the values are there, and nothing that was there before is announced.
        observation.add(observer)
        return cache.store.observe(observer)
    }

    /// What the closure given as `status` returns.
    public var status: FlagProviderStatus { currentStatus() }
}
