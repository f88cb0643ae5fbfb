import TacklineCore
import TacklineTargeting
import TacklineTestSupport
import Testing

@Suite("A typo in definitions")
struct TypoTests {
    private func definitions(_ flag: String, more: String = "") throws -> FlagDefinitions {
        try FlagDefinitions(json: "{\"flags\": {\n  \"checkout_thme\": \(flag)\n}\(more)}")
    }

    private func flag(_ targeting: String) -> String {
        """
        {"state": "ENABLED", "variants": {"on": true, "off": false}, "defaultVariant": "off",
        "targeting": \(targeting)}
        """
    }

    @Test("in the name of a variant is an error of the document, with path, line, column and what was meant")
    func variants() throws {
        let cases: [(String, String, Int, String)] = [
            (#"{"if": [{"var": "x"}, "onn", "off"]}"#, "/if/1", 36, #"there is no variant "onn"; did you mean "on"?"#),
            (#"{"if": [{"var": "x"}, "on", {"var": "y"}, "on", "of"]}"#, "/if/4", 62, #"did you mean "off"?"#),
            (#"{"fractional": [["on", 1], ["purple", 9]]}"#, "/fractional/1/0", 42, #"the variants are "off", "on""#),
            (
                #"{"fractional": [{"var": "x"}, [{"if": [true, "no", "on"]}, 1], ["off", 9]]}"#,
                "/fractional/1/0/if/1", 59, "there is no variant"
            ),
            (#"{"or": [{"var": "x"}, "ofn"]}"#, "/or/1", 36, "did you mean"),
            (#"{"var": ["x", "offf"]}"#, "/var/1", 28, #"did you mean "off"?"#),
            (#"{"if": [{"var": "x"}, true, "off"]}"#, "/if/1", 36, #"there is no variant "true""#),
            (#"{"==": [{"var": "x"}, 5]}"#, "/==", 15, #""==" gives true or false, and there is no variant"#),
            (#"{"if": [{"var": "x"}, {"in": ["a", "b"]}, "off"]}"#, "/if/1/in", 37, "put it into an"),
            (
                #"{"and": [{"==": [{"var": "x"}, 5]}, "on"]}"#, "/and/0/==", 24,
                #""==" can give false, and there is no variant "false""#
            ),
            (
                #"{"or": [{"==": [{"var": "x"}, 5]}, "off"]}"#, "/or/0/==", 23,
                #""==" can give true, and there is no variant "true""#
            ),
            (#"{"and": [{"if": [{"var": "x"}, false, "on"]}, "on"]}"#, "/and/0/if/1", 45, #"no variant "false""#),
            (#"{"if": [{"var": "x"}, 1.5, "off"]}"#, "/if/1", 36, #"there is no variant "1.5""#),
        ]
        for (targeting, path, column, message) in cases {
            let definitions = try definitions(flag(targeting))
            let problem = try #require(definitions.errors.first)
            #expect(definitions.errors.count == 1 && definitions.validate().contains(problem), "\(targeting)")
            #expect(problem.path == "/flags/checkout_thme/targeting" + path, "\(targeting)")
            #expect(problem.line == 3 && problem.column == column, "\(problem)")
            #expect(problem.message.contains(message), "\(problem)")
            #expect(problem.description.contains("(line 3, column \(column))"), "\(targeting)")
            // The flag goes on working for everybody else.
            #expect(definitions.flags["checkout_thme"]?.error == nil, "\(targeting)")
        }
    }

    @Test("is not seen where there is none")
    func rightRules() throws {
        let cases: [String] = [
            #"{"if": [{"==": [{"var": "x"}, "onn"]}, "on", "off"]}"#, #"{"fractional": [["on", 1], [null, 9]]}"#,
            #"{"fractional": ["onn", ["on", 1]]}"#, #"{"cat": ["o", "nn"]}"#, #"{"if": ["onn", "on"]}"#,
            #"{"and": [{"var": "x"}, "on"]}"#, #"{"if": [true, null]}"#, #"{"$ref": "e"}"#,
        ]
        for targeting in cases {
            let definitions = try definitions(flag(targeting), more: #", "$evaluators": {"e": {"if": [true, "on"]}}"#)
            #expect(definitions.errors.isEmpty, "\(targeting)")
        }
    }

    @Test("in what several flags refer to is found for each that it concerns")
    func evaluators() throws {
        let definitions = try definitions(
            flag(#"{"$ref": "e"}"#), more: #", "$evaluators": {"e": {"if": [true, "onn"]}}"#)
        #expect(definitions.errors.map(\.path) == ["/$evaluators/e/if/1"])
        #expect(definitions.errors.first?.flagKey == "checkout_thme")
    }

    @Test("in the default variant is an error")
    func defaultVariant() throws {
        let definitions = try definitions(#"{"state": "ENABLED", "variants": {"on": 1}, "defaultVariant": "om"}"#)
        #expect(
            definitions.errors.map(\.description) == [
                """
                error at /flags/checkout_thme/defaultVariant (line 2, column 64): there is no variant "om"; did you mean "on"?
                """
            ])
    }

    @Test("in a key or an attribute is found by what the app has")
    func declared() throws {
        let rule = #"""
            {"if": [{"==": [{"var": "emial"}, "a"]}, "on", {"some": [{"var": "roles"}, {"==": [{"var": "x"}, 1]}]}, "on",
            {"===": ["yes", {"var": "isStaff"}]}, "on", {"missing": ["account.id", "agee"]}, "on", "off"]}
            """#
        let definitions = try definitions(flag(rule))
        let problems = definitions.validate(
            flagKeys: ["checkout_theme", "sson"],
            attributes: ["email", "roles", "isStaff", "account", "age"])
        #expect(
            problems.map { "\($0.path.dropFirst(6)) \($0.line ?? 0):\($0.column ?? 0) \($0.message)" } == [
                #"/checkout_thme 2:3 no flag has the key "checkout_thme"; did you mean "checkout_theme"?"#,
                #"""
                /checkout_thme/targeting/if/0/==/0/var 3:31 no context has the attribute "emial"; did you mean "email"?
                """#,
                #"""
                /checkout_thme/targeting/if/6/missing/1 4:72 no context has the attribute "agee"; did you mean "age"?
                """#,
            ])
        #expect(problems.allSatisfy { $0.isError == false })
        #expect(definitions.validate().isEmpty)
    }

    @Test("in a document is reported when it is put in force, before any user meets it")
    func provider() throws {
        let log = IssueRecorder()
        let provider = DefinitionsProvider(
            try definitions(flag(#"{"if": [{"var": "x"}, "onn", "off"]}"#)), name: "rules",
            context: .fixed(EvaluationContext()), issueReporter: log.reporter)
        #expect(provider.value(for: "checkout_thme") == false)
        #expect(
            log.issues.map(\.message) == [
                """
                Provider "rules" has no value for flag "checkout_thme" where its rule leads there, whose definition is wrong \
                at /flags/checkout_thme/targeting/if/1 (line 3, column 36): there is no variant "onn"; did you mean "on"? The \
                next provider is asked instead. Correct the definition.
                """
            ])
    }
}
