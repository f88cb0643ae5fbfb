public import TacklineCore

/// How a provider came to its answer by rules: the steps that it took, for people.
///
/// Texts are cut where they are long; nothing here is read back by a program.
public struct FlagReasoning: Sendable, Hashable, Codable {
    /// One step on the way.
    public struct Step: Sendable, Hashable, Codable {
        /// What was asked: `plan == "gold"`; for a step without an answer what was done.
        public var text: String
        /// What the answer was; `nil` where nothing was asked.
        public var holds: Bool?

        /// Makes a step.
        public init(_ text: String, holds: Bool? = nil) {
            self.text = text
            self.holds = holds
        }
    }

    /// An attribute that was looked at.
    public struct Attribute: Sendable, Hashable, Codable {
        /// Its name, with points between the names of nested ones.
        public var name: String
        /// Its value, much like JSON; `nil` where it was not given.
        public var value: String?

        /// Makes an attribute.
        public init(name: String, value: String?) {
            self.name = name
            self.value = value
        }
    }

    /// A split by percentages, and where the subject falls in it.
    public struct Split: Sendable, Hashable, Codable {
        /// A part of the bar from 0 to 1, without its end. A share of weight 0 has no length.
        public struct Share: Sendable, Hashable, Codable {
            /// The variant, or what else the share gives.
            public var variant: String
            /// Where it begins.
            public var start: Double
            /// Where it ends.
            public var end: Double

            /// Makes a share.
            public init(variant: String, start: Double, end: Double) {
                self.variant = variant
                self.start = start
                self.end = end
            }
        }

        /// What is bucketed by; `nil` where there is nothing, so that the split decides nothing.
        public var key: String?
        /// Where the subject falls, from 0 to 1 without 1; `nil` where there is nothing to bucket by.
        public var place: Double?
        /// The shares, from 0 to 1. Empty where their weights cannot be used.
        public var shares: [Share]
        /// The share that the subject falls into, by its position; `nil` where it falls into none.
        public var chosen: Int?

        /// Makes a split.
        public init(key: String?, place: Double?, shares: [Share], chosen: Int?) {
            self.key = key
            self.place = place
            self.shares = shares
            self.chosen = chosen
        }
    }

    /// The steps, in their order. Where there are very many, the last one says so.
    public var steps: [Step] = []
    /// The attributes that the steps looked at, in the order in which they did.
    public var attributes: [Attribute] = []
    /// The split that decided, or could not; `nil` where the steps led to none.
    public var split: Split?
    /// The variant that was given; `nil` for none.
    public var variant: String?
    /// The value that was given, much like JSON; `nil` where the next provider is asked.
    public var value: String?
    /// Why, in the words of OpenFeature: `TARGETING_MATCH`, `SPLIT`.
    public var reason: String
    /// What is wrong, and what to do about it; `nil` for nothing.
    public var message: String?

    /// Makes a reasoning without steps.
    public init(reason: String) { self.reason = reason }
}

/// A provider that can say how its rules came to an answer.
public protocol FlagReasoningProvider: FlagProvider {
    /// Says how the rules come to what they give for a flag. It is not a use of the flag.
    ///
    /// - Parameters:
    ///   - key: The flag's key.
    ///   - attributes: For whom to evaluate it, by name, the stable key as `targetingKey`; `nil` for whom a read here and now
    ///     would be answered.
    /// - Returns: `nil` where no rules are concerned.
    /// - Complexity: That of some evaluations of the flag; each takes a bounded number of steps.
    func reasoning(for key: FlagKeyPath, as attributes: [String: EncodedFlagValue]?) -> FlagReasoning?
}

extension FlagProvider {
    /// The reasoning of this provider, or of the first one inside of it that has one.
    ///
    /// - Parameter depth: How many wrappers may be gone into; one may hold itself.
    package func innerReasoning(
        for key: FlagKeyPath, as attributes: [String: EncodedFlagValue]?, depth: Int = 16
    ) -> FlagReasoning? {
        if let provider = self as? any FlagReasoningProvider {
            return provider.reasoning(for: key, as: attributes)
        }
        guard depth > 0, let wrapper = self as? any FlagProviderWrapper else { return nil }
        for provider in wrapper.wrappedProviders.prefix(16) {
            if let reasoning = provider.innerReasoning(for: key, as: attributes, depth: depth - 1) { return reasoning }
        }
        return nil
    }
}

// MARK: - As text

extension FlagReasoning {
    /// The reasoning in lines of text: the steps with yes or no, a bar for each share of the split with a mark where the subject
    /// falls, and what was looked at.
    ///
    /// Names come from documents and contexts: make control characters visible before you print them.
    ///
    /// - Parameter width: How many characters the bars have, from 10 to 200.
    public func lines(width: Int = 40) -> [String] {
        var lines = steps.map { step in step.holds.map { "\($0 ? "yes" : "no ")  \(step.text)" } ?? step.text }
        if let split, !split.shares.isEmpty { lines += Self.bars(split, width: min(max(width, 10), 200)) }
        if !attributes.isEmpty {
            let looks = attributes.map { "\($0.name) = \($0.value ?? "not given")" }
            lines.append("Looked at: \(looks.joined(separator: ", "))")
        }
        if let message { lines.append(message) }
        return lines
    }

    private static func bars(_ split: Split, width: Int) -> [String] {
        let shown = split.shares.prefix(20)
        let names = shown.map {
            $0.variant.unicodeScalars.count > 20 ? String($0.variant.prefix(19)) + "…" : $0.variant
        }
        let column = names.map(\.count).max() ?? 0
        func position(_ place: Double) -> Int { min(width, Int((place * Double(width)).rounded(.down))) }
        var lines: [String] = []
        for (index, share) in shown.enumerated() {
            let first = position(share.start)
            // A share that somebody can fall into is seen.
            let last = share.end > share.start ? max(first + 1, position(share.end)) : first
            let bar = String(repeating: " ", count: first) + String(repeating: "#", count: last - first)
            let name = names[index] + String(repeating: " ", count: column - names[index].count)
            let track = bar + String(repeating: " ", count: max(0, width - last))
            lines.append(
                "\(index == split.chosen ? ">" : " ") \(name) |\(track)| \(percentage(share.end - share.start))")
        }
        if split.shares.count > shown.count { lines.append("  and \(split.shares.count - shown.count) more") }
        if let place = split.place {
            let mark = String(repeating: " ", count: column + 4 + min(width - 1, position(place)))
            lines.append("\(mark)^ \(percentage(place))")
        }
        return lines
    }

    /// A part of 1 as a percentage with two digits.
    private static func percentage(_ part: Double) -> String {
        let hundredths = Int((min(max(part, 0), 1) * 10_000).rounded())
        let rest = hundredths % 100
        return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest) %"
    }
}
