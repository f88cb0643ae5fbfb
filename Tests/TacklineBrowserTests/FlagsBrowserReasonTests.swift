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
                "targeting": {"if": [{"==": [{"var": "plan"}, "gold"]}, {"fractional": [["few", 0], ["many", 1]]}]}}}}
                """.utf8))
        let loader = FlagsLoader(
            Flags.self,
            providers: [
                MemoryProvider(name: "memory", values: ["plain": true]),
                DefinitionsProvider(rules, name: "rules", context: .current(user)),
            ])
        return FlagsBrowser(loader)
    }

    @Test("is told for whom a read is answered for, and for somebody else")
    func reasons() throws {
        let browser = try browser()
        let own = try browser.reasons(for: FlagsBrowserQuestion(flag: "Flags:attempts")).reasons
        #expect(own.map(\.provider) == ["rules"])
        #expect(own.first?.reasoning.variant == "few" && own.first?.reasoning.steps.first?.holds == false)
        #expect(own.first?.reasoning.attributes == [FlagReasoning.Attribute(name: "plan", value: "\"plain\"")])
        let gold = FlagsBrowserQuestion(flag: "Flags:attempts", attributes: ["targetingKey": "7", "plan": "gold"])
        let other = try browser.reasons(for: gold).reasons.first?.reasoning
        #expect(other?.variant == "many" && other?.split?.key == "\"7\"" && other?.split?.chosen == 1)
        #expect(try browser.reasons(for: FlagsBrowserQuestion(flag: "Flags:plain")).reasons.isEmpty)
        let error = #expect(throws: FlagsBrowserError.self) {
            try browser.reasons(for: FlagsBrowserQuestion(flag: "Flags:none"))
        }
        #expect(error?.code == .unknownFlag)
    }

    @Test("is the same after it was sent to a face elsewhere")
    func message() throws {
        let reasons = try browser().reasons(
            for: FlagsBrowserQuestion(flag: "Flags:attempts", attributes: ["plan": "gold", "targetingKey": "x"]))
        let json = try FlagsBrowserJSON.data(of: reasons)
        #expect(try FlagsBrowserJSON.read(FlagsBrowserReasons.self, from: json) == reasons)
    }
}
