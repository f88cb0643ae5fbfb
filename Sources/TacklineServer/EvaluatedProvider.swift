public import TacklineCore
import TacklineFormats

/// A provider whose answers are told to a closure: to count them, or to trace them.
///
/// Put it into a chain in place of the provider itself. Each answer is told that a loader is given for use, and none that only
/// explains a flag. A flag that its provider evaluates at each read, such as one with rules for the user of a request, is told at each
/// read; one whose value the loader keeps, when the loader asks, which is at first and after changes. With `everyRead` the loader keeps
/// nothing of this provider: each read asks it, and costs what that costs. Without it, reads of kept values cost nothing more.
public final class EvaluatedProvider<Base: FlagProvider>: FlagProvider {
    /// The provider that is asked.
    public let base: Base
    private let everyRead: Bool
    private let evaluated: @Sendable (FlagKeyPath, DetailedFlagValue) -> Void

    /// Makes a provider around another one.
    ///
    /// - Parameters:
    ///   - base: The provider that is asked.
    ///   - everyRead: Whether each read of a flag is told, and none is answered from what a loader has kept.
    ///   - evaluated: Is told the key, and the value with its details. It runs during the read, on any thread, and under no lock; it
    ///     must be quick, and must not read flags of a loader that has this provider.
    public init(
        _ base: Base, everyRead: Bool = false,
        evaluated: @escaping @Sendable (_ key: FlagKeyPath, _ answer: DetailedFlagValue) -> Void
    ) {
        self.base = base
        self.everyRead = everyRead
        self.evaluated = evaluated
    }

    /// That of the provider.
    public var name: String { base.name }

    /// That of the provider.
    public var status: FlagProviderStatus { base.status }

    /// The provider's value, which is told if there is one.
    public func value(for key: FlagKeyPath) -> EncodedFlagValue? {
        guard let value = base.value(for: key) else { return nil }
        // The details are inspected, so the provider counts one use.
        let answer = base.detailedValue(for: key)
        evaluated(key, answer.value == value ? answer : DetailedFlagValue(value: value))
        return value
    }

    /// Returns the value and the details of the provider. It is not an evaluation for use.
    public func detailedValue(for key: FlagKeyPath) -> DetailedFlagValue { base.detailedValue(for: key) }

    /// Adds an observer of the provider.
    ///
    /// - Returns: `false` if each read is reported.
    public func observe(_ observer: FlagProviderObserver) -> Bool { base.observe(observer) && !everyRead }

    /// The provider that is asked.
    public var wrappedProviders: [any FlagProvider] { [base] }
}
