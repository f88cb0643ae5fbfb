/// An account of the evaluation of a flag's rules, for people. Long texts are shortened.
///
/// - Important: It contains names from documents and contexts. Escape control characters before you print them.
package struct FlagReasoning: Sendable {
    /// The conditions with their results, and other steps, in the order of the evaluation.
    package var steps: [(text: String, holds: Bool?)] = []
    /// The attributes that the steps read, in the order of the first access. One without a value is not in the context.
    package var attributes: [(name: String, value: String?)] = []
    /// The last split: its `shares` with `variant`, `start` and `end`, and, if the subject has a place in it, the `key`, the
    /// `place` from 0 to 1, and the index and the `variant` of the share that was `chosen`. A member without a value is null.
    package var split: EncodedFlagValue?
    /// A description of the problem and its fix, or `nil` if there is no problem.
    package var message: String?

    package init() {}

    /// The steps with their results, the attributes and the message, as lines of text.
    package var lines: [String] {
        var lines = steps.map { step in step.holds.map { "\($0 ? "yes" : "no ")  \(step.text)" } ?? step.text }
        if !attributes.isEmpty {
            let assignments = attributes.map { "\($0.name) = \($0.value ?? "not given")" }
            lines.append("Looked at: \(assignments.joined(separator: ", "))")
        }
        if let message { lines.append(message) }
        return lines
    }

    /// The members of an object with the same. What has no value is null.
    package var members: [String: EncodedFlagValue] {
        [
            "steps": .array(
                steps.map { ["text": .string($0.text), "holds": $0.holds.map { .bool($0) } ?? .null] }),
            "attributes": .array(
                attributes.map { ["name": .string($0.name), "value": $0.value.map { .string($0) } ?? .null] }),
            "split": split ?? .null, "message": message.map { .string($0) } ?? .null,
        ]
    }
}

/// A provider that can explain how its rules choose a value.
package protocol FlagReasoningProvider: FlagProvider {
    /// Returns the way in which the rules choose the value of a flag for the subject of a read here and now; `nil` if the
    /// value doesn't come from rules. The flag is inspected and not used.
    func reasoning(for key: FlagKeyPath) -> FlagReasoning?
}

extension FlagProvider {
    /// Returns the reasoning of this provider, or of the first provider in it that has one.
    ///
    /// It is called only when a person looks at a flag, so it may cast to a protocol.
    package func innerReasoning(for key: FlagKeyPath) -> FlagReasoning? {
        ([self] + innerProviders).lazy.compactMap { ($0 as? any FlagReasoningProvider)?.reasoning(for: key) }.first
    }
}
