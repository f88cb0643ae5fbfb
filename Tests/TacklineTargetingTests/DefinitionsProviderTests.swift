import TacklineCore
import TacklineTargeting
import TacklineTestSupport
import Testing

private struct AppFlags: FlagCollectionProtocol {
    @Flag(default: false, description: "Table reservations")
    var reservations: Bool

    @Flag(default: "none", description: "Whose values these are")
    var owner: String

    @Flag(key: "never", default: 7, description: "A flag that no document has")
    var never: Int
}

@Suite("A provider of definitions", .hangLimit)
struct DefinitionsProviderTests {
    /// `owner` names the user; `reservations` is on for staff; `broken` is wrong.
    private func definitions(staff: String = "@example.com") throws -> FlagDefinitions {
        let owners = (0..<20).map { #""user-\#($0)": "user-\#($0)""# }.joined(separator: ", ")
        return try FlagDefinitions(
            json(
                """
                {"flags": {
                "reservations": {"state": "ENABLED", "variants": {"on": true, "off": false}, "defaultVariant": "off",
                    "targeting": {"if": [{"ends_with": [{"var": "email"}, "\(staff)"]}, "on"]}},
                "owner": {"state": "ENABLED", "variants": {\(owners)}, "targeting": {"var": "targetingKey"}},
                "steady": {"state": "ENABLED", "variants": {"on": 1}, "defaultVariant": "on"},
                "group": {"state": "ENABLED", "variants": {"on": {"inner": {"deep": 5}}}, "defaultVariant": "on"},
                "broken": {"state": "ENABLED"}}}
                """))
    }

    private let ada: EvaluationContext = ["targetingKey": "user-1", "email": "ada@example.com"]
    private let bob: EvaluationContext = ["targetingKey": "user-2", "email": "bob@example.org"]

    @Test("answers for the current context, and leaves what it cannot answer to the next provider")
    func answers() throws {
        let provider = DefinitionsProvider(try definitions(), context: .current(CurrentContext(ada)))
        #expect(provider.value(for: "reservations") == true)
        #expect(provider.value(for: "owner") == "user-1")
        #expect(provider.value(for: "broken") == nil)
        #expect(provider.value(for: "unknown") == nil)
        #expect(provider.value(for: "group/inner/deep") == 5)
        #expect(provider.value(for: "group/outer") == nil)
        #expect(provider.evaluation(for: "reservations").reason == .targetingMatch)
        #expect(provider.evaluation(for: "broken").errorCode == .parseError)
        #expect(provider.document?.value(for: "owner") == "user-1")
    }

    @Test("announces exactly the flags whose value a new context changes, and another subject if the key is another")
    func contextChange() async throws {
        let context = CurrentContext(ada)
        let provider = DefinitionsProvider(try definitions(), context: .current(context))
        let (observer, notices) = FlagProviderObserver.makeStream()
        #expect(provider.observe(observer))
        context.set(ada)
        context.update { $0["shoe size"] = 43 }
        context.set(bob)
        context.set(EvaluationContext())
        var iterator = notices.makeAsyncIterator()
        guard case .changed(let changes)? = await iterator.next() else { throw CancellationError() }
        #expect(await iterator.next() == .subjectChanged)
        #expect(Set(changes.map(\.key.text)) == ["reservations", "owner"])
        #expect(changes.first { $0.key == "owner" }?.new == "user-2")
        guard case .changed(let last)? = await iterator.next() else { throw CancellationError() }
        #expect(last == [FlagProviderChange(key: "owner", old: "user-2", new: nil)])
        #expect(await iterator.next() == .subjectChanged)
        withExtendedLifetime(observer) {}
    }

    @Test("changes what a loader reads, and only that")
    func loader() throws {
        let context = CurrentContext(ada)
        let provider = DefinitionsProvider(try definitions(), context: .current(context))
        let flags = FlagsLoader(AppFlags.self, providers: [provider])
        #expect(flags.reservations)
        #expect(flags.owner == "user-1")
        #expect(flags.never == 7)
        context.set(bob)
        #expect(!flags.reservations)
        #expect(flags.owner == "user-2")
        context.set(EvaluationContext())
        #expect(flags.owner == "none")
        provider.update(try definitions(staff: ""))
        #expect(!flags.reservations)
    }

    @Test("never shows one user's values to another, while users and documents change")
    func consistency() async throws {
        let context = CurrentContext(bob)
        let provider = DefinitionsProvider(try definitions(), context: .current(context))
        let flags = FlagsLoader(AppFlags.self, providers: [provider])
        let documents = [try definitions(), try definitions(staff: "@example.org")]
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<2 {
                group.addTask {
                    for round in 0..<200 {
                        context.set(EvaluationContext(targetingKey: "user-\((round + task * 7) % 20)", attributes: [:]))
                    }
                }
            }
            group.addTask {
                for round in 0..<200 { provider.update(documents[round % 2]) }
            }
            group.addTask {
                for _ in 0..<500 {
                    let evaluation = provider.evaluation(for: "owner")
                    #expect(evaluation.variant.map { .string($0) } == evaluation.value)
                }
            }
        }
        context.set(ada)
        #expect(flags.owner == "user-1")
        #expect(provider.document?.value(for: "owner") == "user-1")
    }
}
