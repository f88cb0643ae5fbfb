import TacklineCore
import TacklineTargeting
import TacklineTestSupport
import Testing

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
}
