import Foundation
import TacklineCore
import TacklineTargeting
import Testing

@Suite("Flag definitions")
struct FlagDefinitionsTests {
    private let user: EvaluationContext = ["targetingKey": "user-1", "email": "ada@example.com", "tier": "gold"]

    private func definitions(_ flags: String, _ rest: String = "") throws -> FlagDefinitions {
        try FlagDefinitions(json: "{\"flags\": {\(flags)}\(rest)}") { 1_700_000_000 }
    }

    private func flag(_ members: String) -> String {
        #""flag": {"state": "ENABLED", "variants": {"on": true, "off": false}, \#(members)}"#
    }

    @Test("fail where a variant has another type than the flag")
    func mismatch() throws {
        let definitions = try definitions(
            #""flag": {"state": "ENABLED", "variants": {"on": true, "off": "no"}, "defaultVariant": "on","#
                + #""targeting": {"var": "variant"}}"#)
        let evaluation = definitions.evaluate("flag", for: ["variant": "off"])
        #expect(evaluation.errorCode == .typeMismatch)
        #expect(definitions.evaluate("flag", for: [:]).value == true)
    }

    @Test("let one bad flag answer with an error and all others work")
    func badFlag() throws {
        let cases: [(String, String)] = [
            ("5", "/flags/bad"), (#"{"variants": {"on": true}}"#, "/flags/bad/state"),
            (#"{"state": "On", "variants": {"on": true}}"#, "/flags/bad/state"),
            (#"{"state": "ENABLED"}"#, "/flags/bad/variants"),
            (#"{"state": "ENABLED", "variants": {}}"#, "/flags/bad/variants"),
            (#"{"state": "ENABLED", "variants": {"": true}}"#, "/flags/bad/variants"),
            (#"{"state": "ENABLED", "variants": {"on": true}, "defaultVariant": 1}"#, "/flags/bad/defaultVariant"),
            (#"{"state": "ENABLED", "variants": {"on": true}, "targeting": []}"#, "/flags/bad/targeting"),
            (#"{"state": "ENABLED", "variants": {"on": true}, "targeting": {"iff": []}}"#, "/flags/bad/targeting/iff"),
            (
                #"{"state": "ENABLED", "variants": {"on": true}, "targeting": {"if": [{"a/b~": 1}, "on"]}}"#,
                "/flags/bad/targeting/if/0/a~1b~0"
            ),
            (
                #"{"state": "ENABLED", "variants": {"on": true}, "targeting": {"if": [{"$ref": "self"}, "on"]}}"#,
                "/flags/bad/targeting/if/0/$ref/!/0/$ref"
            ),
            (
                #"{"state": "ENABLED", "variants": {"on": true}, "targeting": {"if": [{"$ref": "nested"}, "on"]}}"#,
                "/flags/bad/targeting/if/0/$ref/!/$ref"
            ),
            (
                #"{"state": "ENABLED", "variants": {"on": true}, "targeting": {"if": [{"$ref": 1}, "on"]}}"#,
                "/flags/bad/targeting/if/0/$ref"
            ),
        ]
        for (bad, path) in cases {
            let good =
                #""good": {"state": "ENABLED", "variants": {"on": true}, "targeting": {"if": [{"$ref": "yes"}, "on"]}}"#
            let evaluators =
                #", "$evaluators": {"yes": {"==": [1, 1]}, "self": {"!": [{"$ref": "self"}]}, "nested": {"!": {"$ref": "yes"}}}"#
            let definitions = try definitions("\"bad\": \(bad), \(good)", evaluators)
            #expect(definitions.evaluate("good", for: user).value == true, "\(bad)")
            let evaluation = definitions.evaluate("bad", for: user)
            #expect(evaluation.errorCode == .parseError, "\(bad)")
            #expect(definitions.errors.map(\.path) == [path], "\(bad)")
            #expect(definitions.errors.map(\.flagKey) == ["bad"], "\(bad)")
            #expect(evaluation.errorMessage?.contains(path) == true, "\(bad)")
        }
    }

    @Test("refuse a document without flags")
    func unusable() {
        let cases: [String] = ["[]", "{}", #"{"flags": 5}"#, "{", #"{"flags": {}, "flags": {}}"#]
        for text in cases {
            #expect(throws: (any Error).self) { try FlagDefinitions(json: text) }
        }
    }

    @Test("are refused where the text is not JSON, with line and column")
    func unreadable() {
        let cases: [(String, String)] = [
            (#"{"a": 1, "a": 2}"#, "the key occurs twice"), ("1e400", "too large for a Double"),
            (#""\ud800""#, "half a surrogate pair"),
            (
                String(repeating: "[", count: 150) + String(repeating: "]", count: 150),
                "more than 144 levels deep"
            ),
        ]
        for (definition, message) in cases {
            let json = "{\"flags\": {\"good\": 1,\n\"bad\": \(definition)}}"
            #expect {
                try FlagDefinitions(json: json)
            } throws: { error in
                "\(error)".contains(message) && "\(error)".contains("line 2, column ")
            }
        }
    }

    @Test("read a list of flags, and refuse a key that occurs twice")
    func list() throws {
        let text = """
            {"$schema": "https://flagd.dev/schema/v0/flagd.json", "flags": [
            {"key": "a", "state": "ENABLED", "variants": {"on": 1}, "defaultVariant": "on"},
            {"key": "b", "state": "ENABLED", "variants": {"on": 1}, "defaultVariant": "on"},
            {"key": "b", "state": "ENABLED", "variants": {"on": 2}, "defaultVariant": "on"}, {"state": "ENABLED"}]}
            """
        let definitions = try FlagDefinitions(json: text)
        #expect(definitions.evaluate("a", for: user).value == 1)
        #expect(definitions.evaluate("b", for: user).errorCode == .parseError)
        #expect(definitions.errors.map(\.path) == ["/flags/2", "/flags/3"])
        #expect(definitions.validate().map(\.path) == ["/flags/2", "/flags/3"])
    }

    @Test("list every problem with its place and what it means")
    func problems() throws {
        let text = """
            {"flags": {
            "a": {"state": "ENABLED", "variants": {"on": true, "off": 1}, "defaultVariant": "maybe",
                "targeting": {"starts_with": ["a"]}, "metadata": {"list": []}},
            "b": {"state": "?", "variants": {"on": true}, "targeting": {"if": [{"==": [1]}, {}]}}},
            "$evaluators": {"e": {"sem_ver": ["1.0", "?", "1.0.0"]}}, "metadata": {"version": 1}}
            """
        let problems = FlagDefinitions.validate(try json(text))
        #expect(
            problems.map(\.path) == [
                "/$evaluators/e/sem_ver/0", "/$evaluators/e/sem_ver/1", "/flags/a/defaultVariant",
                "/flags/a/metadata/list", "/flags/a/targeting/starts_with", "/flags/a/variants", "/flags/b/state",
                "/flags/b/targeting/if/0/==", "/flags/b/targeting/if/1", "/metadata/version",
            ])
        #expect(
            problems.filter { $0.isError }.map(\.path) == [
                "/flags/a/defaultVariant", "/flags/a/targeting/starts_with", "/flags/b/state",
            ])
        #expect(
            problems.first { $0.path == "/flags/b/state" }?.description
                == #"error at /flags/b/state: the state needs to be "ENABLED" or "DISABLED""#)
    }
}
