import Synchronization
public import TacklineCore

/// Answers for flags on behalf of a ``DelegateProvider``, as RealFlags' protocol of this name does.
///
/// Values are in their neutral form, so there is nothing generic to implement. Every method may be called from any thread.
public protocol DelegateProviderProtocol: AnyObject, Sendable {
    /// Returns the value for a key, or `nil` to have the next provider asked. It must not wait for input or output.
    func value(for key: FlagKeyPath) -> EncodedFlagValue?

    /// Sets a value, or removes it with `nil`.
    ///
    /// - Throws: Why it could not be kept. Nothing has changed then.
    func setValue(_ value: EncodedFlagValue?, for key: FlagKeyPath) throws
}

/// A provider that passes everything on to a delegate, which it holds weakly.
///
/// ```swift
/// let provider = DelegateProvider(name: "settings")
/// provider.delegate = settings
/// ```
///
/// Without a delegate it has no values, and refuses writes. Nobody tells it of changes, so its flags are asked for at each
/// read; where the source can tell them, a `ClosureProvider` is faster and can be followed. Safe from any thread.
public final class DelegateProvider: WritableFlagProvider {
    /// Its name in messages and explanations, and its id in a chain.
    public let name: String

    private struct Reference: Sendable { weak var delegate: (any DelegateProviderProtocol)? }

    private let reference = Mutex(Reference())

    /// Makes a provider without a delegate.
    public init(name: String = "DelegateProvider") { self.name = name }

    /// Who answers; held weakly.
    public var delegate: (any DelegateProviderProtocol)? {
        get { reference.withLock { $0.delegate } }
        set { reference.withLock { $0.delegate = newValue } }
    }

    /// Returns the delegate's value; `nil` without a delegate.
    public func value(for key: FlagKeyPath) -> EncodedFlagValue? { delegate?.value(for: key) }

    /// Passes the value on.
    ///
    /// - Throws: ``/TacklineCore/FlagProviderError`` with what the delegate threw, or if there is none.
    public func setValue(_ value: EncodedFlagValue?, for key: FlagKeyPath) throws(FlagProviderError) {
        guard let delegate else {
            throw FlagProviderError(
                .inputOutput, provider: name, key: key, value: value, reason: "it has no delegate",
                advice: "Set one, and keep it")
        }
        do {
            try delegate.setValue(value, for: key)
        } catch {
            throw FlagProviderError(
                .inputOutput, provider: name, key: key, value: value, reason: "the delegate refused: \(error)")
        }
    }
}
