import TacklineBrowser
import TacklineCore
import TacklineTargeting
import Testing

@testable import TacklineTerminal

@Suite("How rules decided")
struct ReasonsTests {
    private func rules(_ name: String = "plan") throws -> DefinitionsProvider {
        let definitions = try FlagDefinitions(
            json: """
                {"flags": {"new_checkout": {"state": "ENABLED", "variants": {"on": true, "off": false}, "defaultVariant": "off",
                "targeting": {"if": [{"==": [{"var": "\(name)"}, "gold"]}, {"fractional": [["on", 25], ["off", 75]]}]}}}}
                """)
        return DefinitionsProvider(
            definitions, name: "rules", context: .fixed(["targetingKey": "user-7", "plan": "gold", "\u{1B}[2J": 1]))
    }

    @Test("stands in the details, with a bar that shows where the user falls")
    func details() async throws {
        var driver = try await TerminalDriver(columns: 160, rows: 60, rules: rules())
        let text = driver.text()
        #expect(text.contains("How the rules of rules decided"))
        #expect(text.contains("yes  plan == \"gold\""))
        #expect(text.contains("A split: on 25.00 %, off 75.00 %."))
        let lines = driver.screen()
        let bar = try #require(lines.first { $0.contains("| 25.00 %") })
        let mark = try #require(lines.first { $0.contains("^ ") })
        // The mark is below the bars, in the share that is marked.
        #expect(lines.contains { $0.contains(">") && $0.contains("|") && $0.contains("#") })
        let first = try #require(bar.firstIndex(of: "|"))
        let end = try #require(bar.lastIndex(of: "|"))
        let place = try #require(mark.firstIndex(of: "^"))
        let columns = (first.utf16Offset(in: bar), end.utf16Offset(in: bar), place.utf16Offset(in: mark))
        #expect(columns.0 < columns.2 && columns.2 < columns.1)
        // A flag without rules has no reasons.
        try await driver.press(.down)
        #expect(!driver.text().contains("How the rules"))
    }

    @Test("is asked for somebody else whose attributes are typed")
    func whatIf() async throws {
        var driver = try await TerminalDriver(columns: 160, rows: 60, rules: rules())
        try await driver.press(.character("w"))
        #expect(driver.text().contains("Whom should the rules be asked for?"))
        try await driver.type("targetingKey=ada plan=plain")
        try await driver.press(.enter)
        let text = driver.text()
        #expect(text.contains("What the rules of rules would give for targetingKey=ada plan=plain"))
        #expect(text.contains("no   plan == \"gold\"") && text.contains("It gives the default variant, off."))
        #expect(driver.loader.newCheckout == (try rules().value(for: "new_checkout") == true))
        try await driver.press(.character("w"), .escape)
        #expect(driver.text().contains("How the rules of rules decided"))
    }

    @Test("is asked for with an attribute that begins with a combining mark")
    func combiningMark() async throws {
        var driver = try await TerminalDriver(columns: 160, rows: 60, rules: rules())
        try await driver.press(.character("w"))
        try await driver.type("targetingKey=ada plan=")
        try await driver.press(.paste("\u{301}x"))
        try await driver.press(.enter)
        let questions = driver.effects.compactMap { effect in
            if case .explain(let question) = effect { question.attributes } else { nil }
        }
        #expect(questions.last == ["targetingKey": "ada", "plan": "\u{301}x"])
    }

    @Test("is asked for once at each revision, and never steers the terminal")
    func once() async throws {
        var driver = try await TerminalDriver(columns: 160, rows: 60, rules: rules("\\u001B[2J"))
        #expect(!driver.text().contains("\u{1B}"))
        let count = driver.effects.filter { if case .explain = $0 { true } else { false } }.count
        try await driver.refresh()
        #expect(driver.effects.filter { if case .explain = $0 { true } else { false } }.count == count)
    }
}
