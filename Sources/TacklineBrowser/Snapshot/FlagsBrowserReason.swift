package import TacklineCore

/// A request for the reasons of a flag's value.
package struct FlagsBrowserQuestion: Sendable, Hashable, Codable {
    /// The flag's id.
    package var flag: String

    package init(flag: String) { self.flag = flag }
}

/// The reasons of all providers with rules, in the order of the chain.
package struct FlagsBrowserReasons: Sendable, Hashable, Codable {
    /// The reasons for the value that the rules of one provider give.
    package struct Reason: Sendable, Hashable, Codable {
        /// The provider's id in the chain.
        package var provider: String
        /// The members of the reasoning.
        package var reasoning: [String: EncodedFlagValue]
    }

    /// The reason of each provider with rules for the flag, including those that don't win.
    package var reasons: [Reason]
}

extension FlagsBrowser {
    /// Returns how the providers with rules arrive at their values for a flag, for the current context of the program.
    /// It doesn't count as a use of the flag.
    ///
    /// - Throws: ``FlagsBrowserError`` if there is no flag with this id.
    package func reasons(for question: FlagsBrowserQuestion) throws(FlagsBrowserError) -> FlagsBrowserReasons {
        let target = try target(flag: question.flag)
        // The reasons of a secret flag may quote its value.
        let links = target.isSecret ? [] : target.chain.chain.links
        return FlagsBrowserReasons(
            reasons: links.compactMap { link in
                link.provider.innerReasoning(for: target.key).map {
                    FlagsBrowserReasons.Reason(provider: link.id, reasoning: $0.members)
                }
            })
    }
}
