import TacklineCore
import TacklineTargeting
import TacklineTestSupport
import Testing

@Suite("An evaluation context", .hangLimit)
struct EvaluationContextTests {
    @Test("takes a text under targetingKey for the key, and anything else for an attribute")
    func literal() {
        let user: EvaluationContext = ["targetingKey": "user-1", "age": 36]
        #expect(user == EvaluationContext(targetingKey: "user-1", attributes: ["age": 36]))
        let odd: EvaluationContext = ["targetingKey": 5]
        #expect(odd.targetingKey == nil)
        #expect(odd["targetingKey"] == 5)
        let empty: EvaluationContext = [:]
        #expect(empty == EvaluationContext())
    }

    @Test("merged with another has what either has, and the other's where both have something")
    func merging() {
        let device: EvaluationContext = ["targetingKey": "device", "os": "linux", "tier": "free"]
        let account: EvaluationContext = ["targetingKey": "account", "tier": "gold"]
        #expect(device.merging(account) == ["targetingKey": "account", "os": "linux", "tier": "gold"])
        #expect(device.merging(EvaluationContext()) == device)
    }

    @Test("is shared and changed by many at once without losing a change")
    func shared() async {
        let context = CurrentContext()
        await withTaskGroup { group in
            for number in 0..<100 {
                group.addTask { context.update { $0["attribute \(number)"] = .integer(Int128(number)) } }
            }
        }
        #expect(context.context.attributes.count == 100)
        context.set(EvaluationContext())
        #expect(context.context == EvaluationContext())
    }
}
