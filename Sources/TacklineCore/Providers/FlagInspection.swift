/// Tells whether a provider is asked only in order to look.
///
/// A wrapper that is not a ``DetailedFlagProvider`` itself can only be looked into by reading its value, and it reads those
/// of the providers inside. They can tell by ``isActive`` that nobody is given the value.
public enum FlagInspection {
    /// Whether the current task explains a flag, so that a value that it reads from a provider is not used.
    ///
    /// Only a provider that counts exposures needs to ask.
    @TaskLocal public static var isActive = false
}

extension FlagProvider {
    /// Asks for the value and its details without counting as a use of the flag.
    package func inspectedValue(for key: FlagKeyPath) -> DetailedFlagValue {
        if let provider = self as? any DetailedFlagProvider { return provider.detailedValue(for: key) }
        guard let wrapper = self as? any FlagProviderWrapper else { return DetailedFlagValue(value: value(for: key)) }
        return FlagInspection.$isActive.withValue(true) {
            let value = wrapper.value(for: key)
            var remaining = 1000
            return DetailedFlagValue(
                value: value, details: wrapper.wrappedDetails(of: value, for: key, remaining: &remaining, depth: 0))
        }
    }
}

extension FlagProviderWrapper {
    /// The details of the first provider inside that gives a value, whatever the wrapper does with it.
    ///
    /// - Parameters:
    ///   - remaining: How many providers may still be asked, for a nest that contains itself.
    ///   - depth: How many wrappers are around this one.
    fileprivate func wrappedDetails(
        of value: EncodedFlagValue?, for key: FlagKeyPath, remaining: inout Int, depth: Int
    ) -> FlagResolutionDetails? {
        for provider in wrappedProviders {
            guard remaining > 0, depth < 64 else { return nil }
            remaining -= 1
            if let provider = provider as? any DetailedFlagProvider {
                let answer = provider.detailedValue(for: key)
                // A nil of a provider that knows nothing about the flag must not hide what the next one knows.
                if answer.value == value, value != nil || answer.details != nil { return answer.details }
            } else if let value, provider.value(for: key) == value {
                guard let wrapper = provider as? any FlagProviderWrapper else { return nil }
                return wrapper.wrappedDetails(of: value, for: key, remaining: &remaining, depth: depth + 1)
            } else if value == nil, let wrapper = provider as? any FlagProviderWrapper,
                let details = wrapper.wrappedDetails(of: nil, for: key, remaining: &remaining, depth: depth + 1)
            {
                return details
            }
        }
        return nil
    }
}
