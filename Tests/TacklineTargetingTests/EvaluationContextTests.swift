import TacklineCore
import TacklineTargeting
import TacklineTestSupport
import Testing

@Suite("An evaluation context", .hangLimit)
struct EvaluationContextTests {
    private struct Account {
        var id = 5
        var email = "ada@example.com"
        var nickname: String?
        var roles = ["admin"]
        var plan = Plan.gold
        enum Plan: String, FlagValue { case gold }
    }

    @Test("takes what an app has at hand, without wrapping it, and a text under targetingKey for the key")
    func literal() {
        let account = Account()
        let user: EvaluationContext = [
            "targetingKey": String(account.id), "email": account.email, "nickname": account.nickname, "age": 36,
            "roles": account.roles, "plan": account.plan, "isStaff": true, "score": 1.5, "address": ["city": "Bern"],
            "wrapped": .string(account.email), "mixed": .array(["a", 1]), "null": .null,
        ]
        #expect(
            user
                == EvaluationContext(
                    targetingKey: "5",
                    attributes: [
                        "email": "ada@example.com", "age": 36, "roles": ["admin"], "plan": "gold", "isStaff": true,
                        "score": 1.5, "address": ["city": "Bern"], "wrapped": "ada@example.com", "mixed": ["a", 1],
                        "null": .null,
                    ]))
        let empty: EvaluationContext = [:]
        #expect(empty == EvaluationContext())
    }

    @Test("refuses a targeting key that is no text, and says so")
    func numericTargetingKey() throws {
        let log = IssueRecorder()
        FlagIssueReporter.withReporter(log.reporter) {
            let account = Account()
            let user: EvaluationContext = ["targetingKey": account.id, "email": account.email]
            #expect(user == EvaluationContext(attributes: ["email": "ada@example.com"]))
        }
        #expect(
            log.issues.map(\.description) == [
                """
                An evaluation context cannot be used as it is: its targetingKey is an integer, 5; make a text of it, as in \
                String(account.id), which rollouts can go by. [invalid-context]
                """
            ])
        let nobody: String? = nil
        let visitor: EvaluationContext = ["targetingKey": nobody]
        #expect(visitor == EvaluationContext())
        // A context that was built by hand is found by each evaluation for it.
        let definitions = try FlagDefinitions(json: #"{"flags": {}}"#)
        let byHand = EvaluationContext(attributes: ["targetingKey": 5])
        _ = DefinitionsProvider(definitions, context: .fixed(byHand), issueReporter: log.reporter)
        #expect(log.issues.map(\.code) == [.invalidContext, .invalidContext])
    }

    @Test("is another one where a text differs in nothing but the bytes of a letter")
    func equivalentNames() {
        let names = ["caf\u{E9}", "cafe\u{301}"]
        let contexts =
            names.map { EvaluationContext(targetingKey: $0) }
            + names.map { EvaluationContext(attributes: ["name": .string($0)]) }
        #expect(Set(contexts + contexts).count == contexts.count)
        let current = CurrentContext(contexts[0])
        current.set(contexts[1])
        #expect(current.context.targetingKey?.utf8.elementsEqual(names[1].utf8) == true)
    }
}
