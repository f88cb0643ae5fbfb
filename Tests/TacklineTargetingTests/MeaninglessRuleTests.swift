import TacklineCore
import TacklineTargeting
import TacklineTestSupport
import Testing

@Suite("A rule that cannot mean what it says")
struct MeaninglessRuleTests {
    private func definitions(_ targeting: String, defaultVariant: String = "off") throws -> FlagDefinitions {
        try FlagDefinitions(
            json: """
                {"flags": {"f": {"state": "ENABLED", "variants": {"on": true, "off": false},
                "defaultVariant": "\(defaultVariant)", "targeting": \(targeting)}}}
                """)
    }

    @Test("because it gives an object or a list is an error of the document, and of whoever meets it")
    func impossible() throws {
        let cases: [(String, String, String, Bool)] = [
            (#"{"if": {"op": "percentage"}, "then": "on"}"#, "", #"an object with "if", "then""#, true),
            (#"{"if": [{"var": "x"}, {}, "off"]}"#, "/if/1", "an empty object", false),
            (#"{"if": [{"var": "x"}, "on", {"op": 1, "to": 2}]}"#, "/if/2", #"an object with "op", "to""#, true),
            (#"{"if": [{"var": "x"}, "on", []]}"#, "/if/2", "a list", true),
            (#"{"if": [true, ["on"]]}"#, "/if/1", "a list", true),
            (#"{"if": [{"var": "x"}, "off", [{"var": "y"}]]}"#, "/if/2", "a list", true),
        ]
        for (targeting, path, message, isMet) in cases {
            let definitions = try definitions(targeting)
            let problem = try #require(definitions.errors.first)
            #expect(definitions.errors.count == 1 && problem.isError && problem.line == 2, "\(targeting)")
            #expect(problem.path == "/flags/f/targeting" + path && problem.message.contains(message), "\(problem)")
            #expect(problem.message.contains(#"the variants are "off", "on""#), "\(targeting)")
            let evaluation = definitions.evaluate("f", for: [:])
            #expect((evaluation.errorCode == .general) == isMet, "\(targeting)")
            #expect(evaluation.errorMessage?.contains("[object Object]") != true, "\(targeting)")
            #expect(!isMet || evaluation.errorMessage?.contains("names no variant") == true, "\(targeting)")
            // What is listed when the document is validated is the same.
            #expect(definitions.validate().contains(problem), "\(targeting)")
        }
    }

    @Test("because it stands beside its place is a warning")
    func misplaced() throws {
        let definitions = try FlagDefinitions(
            json: """
                {"flags": {"f": {"state": "ENABLED", "variants": {"on": true}, "defaultVariant": "on",
                "fractional": [["on", 1]], "if": [true, "on"], "rules": [], "owner": "me"}}}
                """)
        #expect(
            definitions.validate().map(\.message)
                == ["fractional", "if", "rules"].map { "\"\($0)\" means nothing here; put it into \"targeting\"" })
    }

    @Test("because a list has another number of elements says which number is needed")
    func elements() throws {
        let cases = [
            (#"{"if": [{"==": [1]}, "on", "off"]}"#, "a list with 2 elements is needed here"),
            (#"{"fractional": []}"#, "a list with at least 1 element is needed here"),
        ]
        for (rule, message) in cases {
            let problems = try definitions(rule).validate()
            #expect(problems.contains { $0.message == message }, "\(problems)")
        }
    }

    @Test("in what it requires says so")
    func requirement() throws {
        let cases: [(String, String)] = [
            ("crat=on", #"the document has no flag "crat"; did you mean "cart"?"#),
            (
                "something else=on",
                #"the document has no flag "something else"; add that flag, or remove the requirement"#
            ),
            ("cart", #""cart" names no variant; write it as flag=variant, as in "cart=on""#),
            ("cart=onn", #"flag "cart" has no variant "onn"; did you mean "on"?"#),
        ]
        for (needs, message) in cases {
            let definitions = try FlagDefinitions(
                json: #"""
                    {"flags": {"cart": {"state": "ENABLED", "variants": {"on": 1}},
                    "f": {"state": "ENABLED", "variants": {"on": 1}, "metadata": {"tackline.requires": "\#(needs)"}}}}
                    """#)
            #expect(definitions.errors.map(\.message) == [message], "\(needs)")
        }
    }
}
