public import TacklineCore

/// A request for the reasons of a flag's value.
public struct FlagsBrowserQuestion: Sendable, Hashable, Codable {
    /// The flag's id.
    public var flag: String
    /// The attributes of the evaluation context by name, with the stable key as `targetingKey`. Each value is JSON, or
    /// else a text, as typed. `nil` uses the context of the program.
    public var attributes: [String: String]?

    /// Creates a question.
    public init(flag: String, attributes: [String: String]? = nil) {
        self.flag = flag
        self.attributes = attributes
    }

    /// The attributes as values. The targeting key is always a text.
    var values: [String: EncodedFlagValue]? {
        guard let attributes else { return nil }
        var values: [String: EncodedFlagValue] = [:]
        for (name, text) in attributes {
            let value = name == "targetingKey" ? nil : try? FlagJSONReader(limits: FlagsBrowserJSON.limits).read(text)
            values[name] = value ?? .string(text)
        }
        return values
    }
}

extension FlagsBrowserQuestion: FlagValue {}

/// The reasons for the value that the rules of one provider give.
public struct FlagsBrowserReason: Sendable, Hashable, Codable {
    /// The provider's id in the chain.
    public var provider: String
    /// The steps, the attributes that they read, and the split.
    package var reasoning: FlagReasoning
    /// The reasons as lines of text, each indented by its depth.
    public var lines: [String] { reasoning.lines }

    /// Creates a reason.
    package init(provider: String, reasoning: FlagReasoning) {
        self.provider = provider
        self.reasoning = reasoning
    }
}

/// The reasons of all providers with rules, in the order of the chain.
public struct FlagsBrowserReasons: Sendable, Hashable, Codable {
    /// The reason of each provider with rules for the flag, including those that don't win.
    public var reasons: [FlagsBrowserReason]

    /// Creates the reasons.
    public init(_ reasons: [FlagsBrowserReason] = []) { self.reasons = reasons }
}

extension FlagsBrowserReasons: FlagValue {}

extension FlagsBrowser {
    /// Returns how the providers with rules arrive at their values for a flag, for the current context of the program
    /// or for another one. It doesn't count as a use of the flag.
    ///
    /// - Throws: ``FlagsBrowserError`` with ``FlagsBrowserError/Code/unknownFlag`` if there is none with this id.
    public func reasons(for question: FlagsBrowserQuestion) async throws(FlagsBrowserError) -> FlagsBrowserReasons {
        let target = try target(flag: question.flag)
        let values = question.values
        return FlagsBrowserReasons(
            target.chain.chain.links.compactMap { link in
                guard var reasoning = link.provider.innerReasoning(for: target.key, as: values) else { return nil }
                if target.isSecret {
                    reasoning.value = reasoning.value.map { _ in "a secret" }
                    reasoning.message = nil
                }
                return FlagsBrowserReason(provider: link.id, reasoning: reasoning)
            })
    }
}
