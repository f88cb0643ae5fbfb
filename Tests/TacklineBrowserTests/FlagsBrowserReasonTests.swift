import Foundation
import TacklineBrowser
import TacklineCore
import TacklineMemory
import TacklineTargeting
import TacklineTestSupport
import Testing

@Suite("The way to a value", .hangLimit) struct FlagsBrowserReasonTests {
    private struct Flags: FlagCollectionProtocol {
        @Flag(default: 3, description: "How often") var attempts: Int
        @Flag(default: false, description: "No rule is about it") var plain: Bool
    }

    @Test("is shown for the user of a read, with conditions, attributes and the split")
    func reasons() throws {
        let rules = try FlagDefinitions(
            json: Data(
                """
                {"flags": {"attempts": {"state": "ENABLED", "variants": {"few": 1, "many": 9}, "defaultVariant": "few",
                "targeting": {"if": [{"==": [{"var": "plan"}, "gold"]}, {"fractional": [["few", 0], ["many", 1]]}]}}}}
                """.utf8))
        let user = CurrentContext(["targetingKey": "ada", "plan": "plain"])
        let providers: [any FlagProvider] = [
            MemoryProvider(name: "memory", values: ["plain": true]),
            DefinitionsProvider(rules, name: "rules", context: .current(user)),
        ]
        let browser = FlagsBrowser(FlagsLoader(Flags.self, providers: providers))
        let plain = try browser.reasons(for: FlagsBrowserQuestion(flag: "Flags:attempts")).reasons
        #expect(plain.map(\.provider) == ["rules"])
        #expect(plain.first?.reasoning.variant == "few" && plain.first?.reasoning.steps.first?.holds == false)
        #expect(plain.first?.reasoning.attributes == [FlagReasoning.Attribute(name: "plan", value: "\"plain\"")])
        user.set(["targetingKey": "ada", "plan": "gold"])
        let gold = try browser.reasons(for: FlagsBrowserQuestion(flag: "Flags:attempts")).reasons.first?.reasoning
        #expect(gold?.variant == "many" && gold?.split?.key == "\"ada\"" && gold?.split?.chosen == 1)
        #expect(try browser.reasons(for: FlagsBrowserQuestion(flag: "Flags:plain")).reasons.isEmpty)
        let error = #expect(throws: FlagsBrowserError.self) {
            try browser.reasons(for: FlagsBrowserQuestion(flag: "Flags:none"))
        }
        #expect(error?.code == .unknownFlag)
    }
}
