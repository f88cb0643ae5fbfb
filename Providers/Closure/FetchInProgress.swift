import Synchronization
import TacklineCore

/// The questions to closures that the current task waits for, innermost first.
///
/// A closure may read flags, and those may lead back to it. It is not asked again for what it is just answering, nor
/// through too many steps, so the stack cannot overflow.
final class FetchInProgress: Sendable {
    private let provider: ObjectIdentifier
    /// `nil` for all keys.
    private let key: FlagKeyPath?
    private let outer: FetchInProgress?
    private let depth: Int
    /// Whether the closure has returned. Tasks that it started go on with its list.
    private let isOver = Atomic<Bool>(false)
    /// Whether a question inside led to an issue.
    private let hasIssue = Atomic<Bool>(false)
    /// Whether a closure of the process ever led back to itself, so that most questions resolve nothing.
    private static let hasReported = Atomic<Bool>(false)

    @TaskLocal private static var innermost: FetchInProgress?

    /// The innermost question that still waits.
    private static var current: FetchInProgress? {
        innermost.flatMap { $0.isOver.load(ordering: .relaxed) ? nil : $0 }
    }

    private static let depthLimit = 64

    private init(provider: ObjectIdentifier, key: FlagKeyPath?, outer: FetchInProgress?) {
        self.provider = provider
        self.key = key
        self.outer = outer
        depth = (outer?.depth ?? 0) + 1
    }

    /// Calls a closure, or reports that it leads back to itself and returns `nil`.
    ///
    /// - Parameter key: What it is asked for; `nil` for all keys.
    static func run<Answer>(
        of provider: AnyObject, named name: String, for key: FlagKeyPath?, _ fetch: () -> Answer
    ) -> Answer? {
        let outer = current
        let id = ObjectIdentifier(provider)
        guard (outer?.depth ?? 0) < depthLimit, outer?.contains(id, key) != true else {
            outer?.noteIssue()
            hasReported.store(true, ordering: .relaxed)
            FlagIssueReporter.current.report(
                FlagError(
                    .cycle,
                    """
                    A closure of provider "\(name)" reads \(key.map { "the flag \"\($0)\"" } ?? "a flag") \
                    that it is being asked for, or flags through more than \(depthLimit) steps, so it was passed \
                    over. Let it answer without reading flags.
                    """,
                    key: key, provider: name))
            return nil
        }
        let question = FetchInProgress(provider: id, key: key, outer: outer)
        defer { question.isOver.store(true, ordering: .relaxed) }
        let answer = $innermost.withValue(question) { fetch() }
        if hasReported.load(ordering: .relaxed), !question.hasIssue.load(ordering: .relaxed) {
            FlagIssueReporter.current.resolve(.cycle, key: key, provider: name)
        }
        return answer
    }

    private func noteIssue() {
        var next: FetchInProgress? = self
        while let question = next {
            question.hasIssue.store(true, ordering: .relaxed)
            next = question.outer
        }
    }

    /// Whether the current task waits for an answer of a provider.
    static func isAsking(_ provider: AnyObject) -> Bool {
        var next = current
        while let question = next {
            if question.provider == ObjectIdentifier(provider) { return true }
            next = question.outer
        }
        return false
    }

    private func contains(_ provider: ObjectIdentifier, _ key: FlagKeyPath?) -> Bool {
        var next: FetchInProgress? = self
        while let question = next {
            if question.provider == provider, question.key == key { return true }
            next = question.outer
        }
        return false
    }
}
