public import TacklineCore
public import TacklineFormats

/// A question for the way to a flag's value.
public struct FlagsBrowserQuestion: Sendable, Hashable, Codable {
    /// The flag's id.
    public var flag: String
    /// For whom rules are evaluated, by name, the stable key as `targetingKey`; each value as typed: JSON, or else a text. `nil`
    /// for whom a read in the program would be answered.
    public var attributes: [String: String]?

    /// Makes a question.
    public init(flag: String, attributes: [String: String]? = nil) {
        self.flag = flag
        self.attributes = attributes
    }

    /// The attributes as values. The targeting key is a text, whatever it looks like.
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

/// How the rules of one provider came to what they say of a flag.
public struct FlagsBrowserReason: Sendable, Hashable, Codable {
    /// The provider's id in the chain.
    public var provider: String
    /// The steps, the attributes that they looked at, and the split.
    public var reasoning: FlagReasoning

    /// Makes a reason.
    public init(provider: String, reasoning: FlagReasoning) {
        self.provider = provider
        self.reasoning = reasoning
    }
}

/// The reasons of all providers with rules, in the order of the chain.
public struct FlagsBrowserReasons: Sendable, Hashable, Codable {
    /// One for each provider with rules for the flag, whether it is the one that answers or not.
    public var reasons: [FlagsBrowserReason]

    /// Makes the reasons.
    public init(_ reasons: [FlagsBrowserReason] = []) { self.reasons = reasons }
}

extension FlagsBrowserReasons: FlagValue {}

extension FlagsBrowser {
    /// Says how the providers with rules come to what they say of a flag, for whom a read in the program would be answered or
    /// for somebody else. It is not a use of the flag.
    ///
    /// - Throws: ``FlagsBrowserError`` with ``FlagsBrowserError/Code/unknownFlag`` if there is none with this id.
    public func reasons(for question: FlagsBrowserQuestion) async throws(FlagsBrowserError) -> FlagsBrowserReasons {
        let target = try target(flag: question.flag)
        let values = question.values
        return FlagsBrowserReasons(
            target.chain.chain.links.compactMap { link in
                link.provider.innerReasoning(for: target.key, as: values).map {
                    FlagsBrowserReason(provider: link.id, reasoning: $0)
                }
            })
    }
}
