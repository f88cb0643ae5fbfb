package import TacklineCore

/// A provider with the values of other providers.
package struct WrappingProvider: FlagProvider {
    package let name: String
    package let wrappedProviders: [any FlagProvider]

    package init(name: String = "wrapper", wrappedProviders: [any FlagProvider]) {
        self.name = name
        self.wrappedProviders = wrappedProviders
    }

    package func value(for key: FlagKeyPath) -> EncodedFlagValue? {
        wrappedProviders.lazy.compactMap { $0.value(for: key) }.first
    }

    package func evaluation(for key: FlagKeyPath) -> FlagEvaluation {
        let answers = wrappedProviders.map { $0.evaluation(for: key) }
        return answers.first { $0.value != nil } ?? answers.first { !$0.description.isEmpty }
            ?? FlagEvaluation(value: nil)
    }
}
