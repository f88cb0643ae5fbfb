import Synchronization

/// The questions to providers that the current task waits for, innermost first.
///
/// A provider made of closures may read flags itself, and among them the one that it is asked for. It is not asked
/// again for a key that it is just answering for, nor through too many steps, so the stack cannot overflow.
final class ProviderQuestion: Sendable {
    private let provider: String
    private let key: FlagKeyPath
    private let outer: ProviderQuestion?
    private let depth: Int
    /// Whether the provider has answered. Tasks that it started go on with its list.
    private let isOver = Atomic<Bool>(false)

    /// How many questions may wait for each other.
    static let depthLimit = 64

    @TaskLocal private static var innermost: ProviderQuestion?

    private init(provider: String, key: FlagKeyPath, outer: ProviderQuestion?) {
        self.provider = provider
        self.key = key
        self.outer = outer
        depth = (outer?.depth ?? 0) + 1
    }

    /// Asks the provider of a link, or says that it has no opinion and reports why.
    static func ask<Answer>(
        _ link: FlagChain.Link, for key: FlagKeyPath, _ question: (any FlagProvider) -> Answer?
    ) -> Answer? {
        let outer = innermost.flatMap { $0.isOver.load(ordering: .relaxed) ? nil : $0 }
        guard (outer?.depth ?? 0) < depthLimit, outer?.contains(link.id, key) != true else {
            FlagIssueReporter.current.report(
                FlagIssue(
                    .cycle,
                    message: """
                        Provider "\(link.id)" reads the flag "\(key)" while it is asked for it, or reads flags through \
                        more than \(depthLimit) steps, so it was passed over. Let it answer without reading that flag.
                        """,
                    key: key, provider: link.id))
            return nil
        }
        let asked = ProviderQuestion(provider: link.id, key: key, outer: outer)
        defer { asked.isOver.store(true, ordering: .relaxed) }
        return $innermost.withValue(asked) { question(link.provider) }
    }

    private func contains(_ provider: String, _ key: FlagKeyPath) -> Bool {
        var next: ProviderQuestion? = self
        while let question = next {
            if question.provider == provider, question.key == key { return true }
            next = question.outer
        }
        return false
    }
}
