/// Finds a flag's value: computed, else the first usable value of the chain, else the default.
package struct FlagResolver<Value: FlagValue>: Sendable {
    package let declaration: FlagDeclaration<Value>
    package let key: FlagKeyPath
    package let chain: FlagChain

    package init(declaration: FlagDeclaration<Value>, key: FlagKeyPath, chain: FlagChain) {
        self.declaration = declaration
        self.key = key
        self.chain = chain
    }

    /// What the chain came to.
    package struct Found: Sendable {
        package let value: Value
        package let encoded: EncodedFlagValue
        package let id: String
    }

    /// What one provider says.
    package enum Answer: Sendable {
        case value(Value, EncodedFlagValue)
        case absent
        case excluded
        case refused(FlagValueError)
    }

    /// Asks the chain from the top down.
    ///
    /// - Parameters:
    ///   - isLasting: Set to `false` if a provider was asked that cannot tell changes.
    ///   - refused: Called for each value that the flag's type refuses.
    ///   - accepted: Called with the id of each provider that was asked and did not hold such a value.
    package func firstUsable(
        isLasting: inout Bool,
        refused: (_ id: String, FlagValueError) -> Void,
        accepted: (_ id: String) -> Void
    ) -> Found? {
        for link in chain.links where !isExcluded(link) {
            if link.observer == nil { isLasting = false }
            switch answer(of: link) {
            case .value(let value, let encoded):
                accepted(link.id)
                return Found(value: value, encoded: encoded, id: link.id)
            case .refused(let error):
                refused(link.id, error)
            case .absent, .excluded:
                accepted(link.id)
            }
        }
        return nil
    }

    /// Asks one provider.
    package func answer(of link: FlagChain.Link) -> Answer {
        if isExcluded(link) { return .excluded }
        // Those who tell changes keep values; those who do not may run anything, and read flags themselves.
        let encoded = link.observer == nil ? ProviderQuestion.ask(link, for: key) : link.provider.value(for: key)
        guard let encoded else { return .absent }
        return answer(encoded, of: link)
    }

    /// Says what the flag makes of a value that a provider gave.
    package func answer(_ encoded: EncodedFlagValue, of link: FlagChain.Link) -> Answer {
        if isExcluded(link) { return .excluded }
        if encoded == .null, !(Value.self is any OptionalFlagValue.Type) { return .absent }
        do {
            return .value(try Value(encoded: encoded), encoded)
        } catch {
            return .refused(error)
        }
    }

    private func isExcluded(_ link: FlagChain.Link) -> Bool {
        if !chain.isAsked(link) { return true }
        return !declaration.excludedProviderTypes.isEmpty && declaration.excludedProviderTypes.contains(link.type)
    }
}

/// A type for which `null` is a value and not "no opinion".
private protocol OptionalFlagValue {}
extension Optional: OptionalFlagValue {}
