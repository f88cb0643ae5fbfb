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
        /// `nil` also where nobody asked for them.
        package let details: FlagResolutionDetails?
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
    ///   - wantsDetails: Whether to look, with details, and not to use.
    ///   - isLasting: Set to `false` if a provider was asked that cannot tell changes.
    ///   - refused: Called for each value that the flag's type refuses.
    ///   - accepted: Called with the id of each provider that was asked and did not hold such a value.
    package func firstUsable(
        wantsDetails: Bool = false,
        isLasting: inout Bool,
        refused: (_ id: String, FlagValueError) -> Void,
        accepted: (_ id: String) -> Void
    ) -> Found? {
        for link in chain.links where !isExcluded(link) {
            if link.observer == nil { isLasting = false }
            let (answer, details) = wantsDetails ? detailedAnswer(of: link) : (answer(of: link), nil)
            switch answer {
            case .value(let value, let encoded):
                accepted(link.id)
                return Found(value: value, encoded: encoded, id: link.id, details: details)
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
        return link.answer(for: key).map { answer($0) } ?? .absent
    }

    /// Asks one provider in order to look at its answer and not to use it.
    package func detailedAnswer(of link: FlagChain.Link) -> (Answer, FlagResolutionDetails?) {
        if isExcluded(link) { return (.excluded, nil) }
        let found =
            link.observer == nil
            ? ProviderQuestion.ask(link, for: key) { $0.inspectedValue(for: key) }
            : link.provider.inspectedValue(for: key)
        return (found?.value.map { answer($0) } ?? .absent, found?.details)
    }

    /// Says what the flag makes of a value that a provider gave.
    private func answer(_ encoded: EncodedFlagValue) -> Answer {
        do {
            return try FlagResolver.usable(encoded).map { .value($0, encoded) } ?? .absent
        } catch {
            return .refused(error)
        }
    }

    /// Says what the flag's type makes of a value that a provider gave; `nil` if that is no opinion.
    package static func usable(_ encoded: EncodedFlagValue) throws(FlagValueError) -> Value? {
        if encoded == .null, !(Value.self is any OptionalFlagValue.Type) { return nil }
        return try Value(encoded: encoded)
    }

    private func isExcluded(_ link: FlagChain.Link) -> Bool { !chain.isAsked(link, by: declaration) }
}

/// A type for which `null` is a value and not "no opinion".
private protocol OptionalFlagValue {}
extension Optional: OptionalFlagValue {}
