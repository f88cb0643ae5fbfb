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

    private let user = CurrentContext(["targetingKey": "ada", "plan": "plain"])

    private func browser() throws -> FlagsBrowser {
        let rules = try FlagDefinitions(
            json: Data(
                """
                {"flags": {"attempts": {"state": "ENABLED", "variants": {"few": 1, "many": 9}, "defaultVariant": "few",
                "targeting": {"if": [{"and": [{"==": [{"var": "plan"}, "gold"]}, {"===": [{"var": "age"}, 7]}]}, {"fractional": [["few", 0], ["many", 1]]}]}}}}
                """.utf8))
        let loader = FlagsLoader(
            Flags.self,
            providers: [
                MemoryProvider(name: "memory", values: ["plain": true]),
                DefinitionsProvider(rules, name: "rules", context: .current(user)),
            ])
        return FlagsBrowser(loader)
    }

    @Test("is shown for the user of a read, and for somebody else, whose attributes are typed as JSON")
    func reasons() throws {
        let browser = try browser()
        let own = try browser.reasons(for: FlagsBrowserQuestion(flag: "Flags:attempts")).reasons
        #expect(own.map(\.provider) == ["rules"])
        #expect(own.first?.reasoning.variant == "few" && own.first?.reasoning.steps.first?.holds == false)
        #expect(own.first?.reasoning.attributes.first == FlagReasoning.Attribute(name: "plan", value: "\"plain\""))
        let gold = FlagsBrowserQuestion(
            flag: "Flags:attempts", attributes: ["targetingKey": "7", "plan": "gold", "age": "7"])
        let other = try browser.reasons(for: gold).reasons.first?.reasoning
        #expect(other?.variant == "many" && other?.split?.key == "\"7\"" && other?.split?.chosen == 1)
        #expect(try browser.reasons(for: FlagsBrowserQuestion(flag: "Flags:plain")).reasons.isEmpty)
        let error = #expect(throws: FlagsBrowserError.self) {
            try browser.reasons(for: FlagsBrowserQuestion(flag: "Flags:none"))
        }
        #expect(error?.code == .unknownFlag)
    }
}
