import Synchronization
import TacklineCore
import TacklineTargeting
import TacklineTestSupport
import Testing

@Suite("A task with an evaluation context", .hangLimit)
struct EvaluationScopeTests {
    struct Flags: FlagCollectionProtocol {
        @Flag(default: 0) var first: Int
        @Flag(default: 0) var second: Int
    }

    private final class Progress: Sendable {
        let isDone = Atomic(false)
    }

    private let user = EvaluationContext(targetingKey: "ada")

    /// A document whose flags all give one number, by a rule.
    private static func document(_ number: Int) throws -> FlagDefinitions {
        let targeting = #"{"if": [{"var": "targetingKey"}, "on"]}"#
        let flag = #"{"state": "ENABLED", "variants": {"on": \#(number)}, "targeting": \#(targeting)}"#
        return try FlagDefinitions(json: #"{"flags": {"first": \#(flag), "second": \#(flag)}}"#)
    }

    private static func loader(_ provider: DefinitionsProvider) -> FlagsLoader<Flags> {
        FlagsLoader(Flags.self, providers: [provider])
    }

    @Test("is answered from one document until its end, which its child tasks share")
    func oneDocument() async throws {
        let provider = DefinitionsProvider(try Self.document(1), context: .task())
        let flags = Self.loader(provider)
        let (one, two) = (try Self.document(1), try Self.document(2))
        await withEvaluationContext(user) {
            #expect(flags.first == 1)
            provider.update(two)
            #expect(flags.first == 1 && flags.second == 1)
            await withTaskGroup { group in
                group.addTask { #expect(flags.second == 1) }
            }
            #expect(flags.$second.explain().value == 1 && provider.evaluation(for: "second").value == 1)
            withEvaluationContext(user) { #expect(flags.second == 2, "an inner scope starts over") }
            #expect(flags.second == 1)
        }
        withEvaluationContext(user) {
            provider.update(one)
            #expect(flags.first == 1, "the document is that of the first read")
        }
    }

    @Test("never mixes two documents, however often they are replaced")
    func concurrency() async throws {
        let provider = DefinitionsProvider(try Self.document(0), context: .task())
        let flags = Self.loader(provider)
        let documents = try (0..<10).map(Self.document)
        let progress = Progress()
        await withTaskGroup { group in
            group.addTask {
                for number in 0..<5_000 { provider.update(documents[number % 10]) }
                progress.isDone.store(true, ordering: .relaxed)
            }
            for _ in 0..<3 {
                group.addTask {
                    while !progress.isDone.load(ordering: .relaxed) {
                        withEvaluationContext(user) {
                            let first = flags.first
                            #expect(flags.second == first)
                        }
                    }
                }
            }
        }
    }
}
