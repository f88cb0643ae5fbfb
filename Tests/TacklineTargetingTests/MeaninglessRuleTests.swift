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

    @Test("because it gives an object or an empty list is an error of the document, and of whoever meets it")
    func impossible() throws {
        let cases: [(String, String, String, Bool)] = [
            (#"{"if": {"op": "percentage"}, "then": "on"}"#, "", #"an object with "if", "then""#, true),
            (#"{"if": [{"var": "x"}, {}, "off"]}"#, "/if/1", "an empty object", false),
            (#"{"if": [{"var": "x"}, "on", {"op": 1, "to": 2}]}"#, "/if/2", #"an object with "op", "to""#, true),
            (#"{"if": [{"var": "x"}, "on", []]}"#, "/if/2", "an empty list", true),
        ]
        for (targeting, path, message, isMet) in cases {
            let definitions = try definitions(targeting)
            let problem = try #require(definitions.errors.first)
            #expect(definitions.errors.count == 1 && problem.severity == .error && problem.line == 2, "\(targeting)")
            #expect(problem.path == "/flags/f/targeting" + path && problem.message.contains(message), "\(problem)")
            #expect(problem.message.contains(#"the variants are "off", "on""#), "\(targeting)")
            let evaluation = definitions.evaluate("f", for: [:])
            #expect((evaluation.errorCode == .general) == isMet, "\(targeting)")
            #expect(evaluation.message?.contains("[object Object]") != true, "\(targeting)")
            #expect(!isMet || evaluation.message?.contains("names no variant") == true, "\(targeting)")
            // What is listed when the document is validated is the same.
            #expect(definitions.validate().contains(problem), "\(targeting)")
        }
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

    @Test("because no branch leads to its default is a warning")
    func unreachedDefault() throws {
        let cases: [(String, String, Bool)] = [
            (#"{"if": [{"var": "c"}, "off", "off"]}"#, "on", true), (#"{"if": [{"var": "c"}, "off"]}"#, "on", false),
            (#"{"if": [{"var": "c"}, "on", "off"]}"#, "on", false),
            (#"{"if": [{"var": "c"}, null, "off"]}"#, "on", false),
            (#"{"if": [{"var": "c"}, {"fractional": [["off", 1]]}, "off"]}"#, "on", false),
            (#"{"if": [{"var": "c"}, {"var": "v"}, "off"]}"#, "on", false), (#"{"var": ["v", "off"]}"#, "on", false),
        ]
        for (targeting, defaultVariant, isFound) in cases {
            let definitions = try definitions(targeting, defaultVariant: defaultVariant)
            #expect(definitions.errors.isEmpty, "\(targeting)")
            let problems = definitions.validate()
            #expect(problems.count == (isFound ? 1 : 0), "\(problems)")
            guard isFound else { continue }
            #expect(problems[0].path == "/flags/f/defaultVariant" && problems[0].severity == .warning, "\(targeting)")
            #expect(problems[0].message.contains(#"the default variant "on" is never given"#), "\(targeting)")
        }
    }

    @Test("because an attribute's type never fits is a warning")
    func types() throws {
        let cases: [(String, String)] = [
            (#"{"in": [{"var": "age"}, ["18", "19"]]}"#, #""in" takes string here"#),
            (#"{"in": ["a", {"var": "age"}]}"#, #""in" takes array or string here"#),
            (#"{"starts_with": [{"var": "age"}, "1"]}"#, #""starts_with" takes string here"#),
            (#"{"ends_with": [{"var": "roles"}, "1"]}"#, #""ends_with" takes string here"#),
            (#"{"sem_ver": [{"var": "staff"}, "=", "1.0.0"]}"#, #""sem_ver" takes number or string here"#),
            (#"{"<": [{"var": "roles"}, 5]}"#, "is compared with an integer, 5"),
            (#"{"<": [1, {"var": "staff"}, 5]}"#, "is compared with an integer, 1"),
            (#"{">=": ["b", {"var": "age"}]}"#, #"is compared with a string, "b""#),
            (#"{"==": [{"var": "email"}, 5]}"#, "is compared with an integer, 5"),
        ]
        for (condition, message) in cases {
            let problems = try definitions(#"{"if": [\#(condition), "on", "off"]}"#).validate(
                attributes: ["age": .number, "roles": .array, "staff": .boolean, "email": .string])
            #expect(problems.first?.message.contains(message) == true, "\(problems)")
            #expect(problems.allSatisfy { $0.severity == .warning }, "\(condition)")
        }
    }

    @Test("because an attribute's type never fits is not said where it fits")
    func fittingTypes() throws {
        let cases: [String] = [
            #"{"in": [{"var": "age"}, [18, 19]]}"#, #"{"in": ["a", {"var": "roles"}]}"#,
            #"{"in": ["a", {"var": "email"}]}"#, #"{"starts_with": [{"var": "email"}, "1"]}"#,
            #"{"sem_ver": [{"var": "age"}, "=", "1.0.0"]}"#, #"{"<": [1, {"var": "age"}, 5]}"#,
            #"{"in": [{"var": "age"}, ["18", 19]]}"#, #"{"==": [{"var": "staff"}, true]}"#,
        ]
        for condition in cases {
            let problems = try definitions(#"{"if": [\#(condition), "on", "off"]}"#).validate(
                attributes: ["age": .number, "roles": .array, "staff": .boolean, "email": .string])
            #expect(problems.isEmpty, "\(problems)")
        }
    }

    @Test("because a number is the same as its neighbours is a warning, and the rule does take them for the same")
    func largeNumbers() throws {
        let definitions = try definitions(
            #"{"if": [{"==": [{"var": "id"}, 9007199254740993]}, "on", {"in": [{"var": "id"}, [1, 9007199254740995]]}, "on"]}"#
        )
        #expect(
            definitions.validate().map(\.path) == [
                "/flags/f/targeting/if/0/==/1", "/flags/f/targeting/if/2/in/1/1",
            ])
        #expect(definitions.evaluate("f", for: ["id": 9_007_199_254_740_992]).variant == "on")
        let small = try self.definitions(#"{"if": [{"==": [{"var": "id"}, 9007199254740991]}, "on"]}"#)
        #expect(small.validate().isEmpty)
        #expect(small.evaluate("f", for: ["id": 9_007_199_254_740_990]).variant == "off")
    }

    @Test("because it is null is none")
    func null() throws {
        let definitions = try definitions("null")
        #expect(definitions.validate().isEmpty)
        #expect(definitions.evaluate("f", for: [:]).reason == .static)
    }

    @Test("leaves the variants of its flag to be seen")
    func variants() throws {
        let flag = try #require(definitions(#"{"iff": [true, "on"]}"#).flags["f"])
        #expect(flag.error?.message == #"there is no operator "iff"; did you mean "if"?"#)
        #expect(flag.variants == ["on": true, "off": false] && flag.defaultVariant == "off")
        #expect(flag.evaluate(for: [:]).errorCode == .parseError)
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
