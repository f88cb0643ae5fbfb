/// A human-readable account of the evaluation of a flag's rules.
///
/// Long texts are shortened. The texts are meant for display and aren't parsed by Tackline.
package struct FlagReasoning: Sendable, Hashable, Codable {
    /// A step of the evaluation.
    package struct Step: Sendable, Hashable, Codable {
        /// The condition that was evaluated, such as `plan == "gold"`, or a description of the step.
        package var text: String
        /// The result of the condition, or `nil` if the step has no condition.
        package var holds: Bool?

        package init(_ text: String, holds: Bool? = nil) { (self.text, self.holds) = (text, holds) }
    }

    /// A context attribute that was read during the evaluation.
    package struct Attribute: Sendable, Hashable, Codable {
        /// The name of the attribute. The names of nested attributes are separated by periods.
        package var name: String
        /// The value of the attribute in a form similar to JSON, or `nil` if the context doesn't contain it.
        package var value: String?

        package init(name: String, value: String?) { (self.name, self.value) = (name, value) }
    }

    /// A percentage split and the subject's position in it.
    package struct Split: Sendable, Hashable, Codable {
        /// A half-open part of the range from 0 to 1. The part of a share of weight 0 is empty.
        package struct Share: Sendable, Hashable, Codable {
            /// The variant or value that the share assigns.
            package var variant: String
            /// The lower bound, inclusive.
            package var start: Double
            /// The upper bound, exclusive.
            package var end: Double

            package init(variant: String, start: Double, end: Double) {
                (self.variant, self.start, self.end) = (variant, start, end)
            }
        }

        /// The bucketing key. If it is `nil`, the split can't select a share.
        package var key: String?
        /// The subject's position, at least 0 and less than 1, or `nil` without a bucketing key.
        package var place: Double?
        /// The shares in ascending order, or an empty array if their weights are invalid.
        package var shares: [Share]
        /// The index in `shares` of the selected share, or `nil` if no share is selected.
        package var chosen: Int?

        package init(key: String?, place: Double?, shares: [Share], chosen: Int?) {
            (self.key, self.place, self.shares, self.chosen) = (key, place, shares, chosen)
        }
    }

    /// The steps in the order of the evaluation. If steps were omitted, the last one states it.
    package var steps: [Step] = []
    /// The attributes that the steps read, in the order of the first access.
    package var attributes: [Attribute] = []
    /// The last split of the evaluation, or `nil` if there was none.
    package var split: Split?
    /// The resulting variant, or `nil` for none.
    package var variant: String?
    /// The resulting value in a form similar to JSON, or `nil` if the rules give none and the next provider is asked.
    package var value: String?
    /// The reason as OpenFeature defines it, such as `TARGETING_MATCH` or `SPLIT`.
    package var reason: String
    /// A description of the problem and its fix, or `nil` if there is no problem.
    package var message: String?

    package init(reason: String) { self.reason = reason }
}

/// A provider that can explain how its rules choose a value.
package protocol FlagReasoningProvider: FlagProvider {
    /// Returns the way in which the rules choose the value of a flag. The flag is inspected and not used.
    ///
    /// - Parameters:
    ///   - key: The flag's key.
    ///   - attributes: The attributes of the subject to evaluate the flag for, by name, with the stable key as
    ///     `targetingKey`; `nil` for the subject of a read here and now.
    /// - Returns: `nil` if the value doesn't come from rules.
    /// - Complexity: That of some evaluations of the flag, each of which has a bounded number of steps.
    func reasoning(for key: FlagKeyPath, as attributes: [String: EncodedFlagValue]?) -> FlagReasoning?
}

extension FlagProvider {
    /// Returns the reasoning of this provider, or of the first provider in it that has one.
    ///
    /// It is called only when a person looks at a flag, so it may cast to a protocol.
    package func innerReasoning(for key: FlagKeyPath, as attributes: [String: EncodedFlagValue]?) -> FlagReasoning? {
        ([self] + innerProviders).lazy
            .compactMap { ($0 as? any FlagReasoningProvider)?.reasoning(for: key, as: attributes) }.first
    }
}

extension FlagReasoning {
    /// The steps with their results, the attributes and the message, as lines of text.
    ///
    /// - Important: The lines contain names from documents and contexts. Escape control characters before you print
    ///   them.
    package var lines: [String] {
        var lines = steps.map { step in step.holds.map { "\($0 ? "yes" : "no ")  \(step.text)" } ?? step.text }
        if !attributes.isEmpty {
            let assignments = attributes.map { "\($0.name) = \($0.value ?? "not given")" }
            lines.append("Looked at: \(assignments.joined(separator: ", "))")
        }
        if let message { lines.append(message) }
        return lines
    }
}
