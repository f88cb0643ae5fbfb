package import TacklineCore

/// A request for the reasons of a flag's value.
package struct FlagsBrowserQuestion: Sendable, Hashable, Codable {
    /// The flag's id.
    package var flag: String
    /// The attributes of the evaluation context by name, with the stable key as `targetingKey`. Each value is JSON, or
    /// else a text, as typed. `nil` uses the context of the program.
    package var attributes: [String: String]?

    package init(flag: String, attributes: [String: String]? = nil) {
        (self.flag, self.attributes) = (flag, attributes)
    }

    /// The attributes as values. The targeting key is always a text.
    fileprivate var values: [String: EncodedFlagValue]? {
        guard let attributes else { return nil }
        var values: [String: EncodedFlagValue] = [:]
        for (name, text) in attributes {
            let value = name == "targetingKey" ? nil : try? FlagJSONReader().read(text)
            values[name] = value ?? .string(text)
        }
        return values
    }
}

/// The reasons of all providers with rules, in the order of the chain.
package struct FlagsBrowserReasons: Sendable, Hashable, Codable {
    /// The reasons for the value that the rules of one provider give.
    package struct Reason: Sendable, Hashable, Codable {
        /// The provider's id in the chain.
        package var provider: String
        /// The steps, the attributes that they read, and the split.
        package var reasoning: FlagReasoning
    }

    /// The reason of each provider with rules for the flag, including those that don't win.
    package var reasons: [Reason]
}

extension FlagsBrowser {
    /// Returns how the providers with rules arrive at their values for a flag, for the current context of the program
    /// or for another one. It doesn't count as a use of the flag.
    ///
    /// - Throws: ``FlagsBrowserError`` if there is no flag with this id.
    package func reasons(for question: FlagsBrowserQuestion) throws(FlagsBrowserError) -> FlagsBrowserReasons {
        let target = try target(flag: question.flag)
        let values = question.values
        return FlagsBrowserReasons(
            reasons: target.chain.chain.links.compactMap { link in
                guard var reasoning = link.provider.innerReasoning(for: target.key, as: values) else { return nil }
                if target.isSecret {
                    reasoning.value = reasoning.value.map { _ in "a secret" }
                    reasoning.message = nil
                }
                return FlagsBrowserReasons.Reason(provider: link.id, reasoning: reasoning)
            })
    }
}
