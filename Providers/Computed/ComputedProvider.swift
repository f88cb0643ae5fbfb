public import TacklineCore

/// A provider whose values are closures.
///
/// It cannot tell changes, so the flags that it is asked for are resolved at each read, and each read calls the closure.
/// Closures are called from any thread and must not block. For a value that belongs to one flag and needs other flags,
/// use the flag's own `computed` instead.
///
/// ```swift
/// let debugging = ComputedProvider(name: "debugger", values: ["secrets/debug_menu": { .bool(isDebuggerAttached()) }])
/// let everything = ComputedProvider(name: "vendor") { key in vendor.lookUp(key.text) }
/// ```
public final class ComputedProvider: FlagProvider {
    /// Its name in messages and explanations, and its id in a chain.
    public let name: String

    private let answer: @Sendable (FlagKeyPath) -> EncodedFlagValue?

    /// Makes a provider with one closure for every key.
    ///
    /// - Parameters:
    ///   - name: Its name in messages and explanations, and its id in a chain.
    ///   - value: Returns the value for a key, or `nil` for no opinion.
    public init(
        name: String = "ComputedProvider",
        value: @escaping @Sendable (FlagKeyPath) -> EncodedFlagValue?
    ) {
        self.name = name
        answer = value
    }

    /// Makes a provider with a closure for each key.
    ///
    /// - Parameters:
    ///   - name: Its name in messages and explanations, and its id in a chain.
    ///   - values: Closures by key. Keys that are not in the dictionary have no opinion.
    public convenience init(
        name: String = "ComputedProvider",
        values: [FlagKeyPath: @Sendable () -> EncodedFlagValue?]
    ) {
        self.init(name: name) { key in values[key]?() }
    }

    /// Calls the closure for the key. `nil` if there is none, or it has no opinion.
    public func value(for key: FlagKeyPath) -> EncodedFlagValue? {
        answer(key)
    }
}
