import TacklineCore
import TacklineTargeting
import TacklineTestSupport
import Testing

/// Faults that were reported for other evaluators of rules, each by the smallest rule that shows it.
@Suite("A fault that was reported elsewhere") struct PublicReportTests {
    private struct Report {
        let source: String
        let rule: String
        let context: EncodedFlagValue
        let result: EncodedFlagValue
    }

    private static let reports = [
        // A null that is there counts as null: `!=` was true.
        Report(
            source: "diegoholiveira/jsonlogic#61", rule: #"{"!=": [{"var": "before"}, null]}"#,
            context: ["before": .null, "after": "text"], result: false),
        // `in` and `all` failed where there is no list.
        Report(
            source: "jwadhams/json-logic-js#38", rule: #"{"in": ["1", {"var": "data.values"}]}"#,
            context: ["data": ["values": .null]], result: false),
        Report(
            source: "jwadhams/json-logic-js#38", rule: #"{"all": [{"var": "list"}, {"==": [{"var": ""}, 1]}]}"#,
            context: [:], result: false),
        // Arithmetic with null was an error.
        Report(
            source: "json-everything/json-everything#286", rule: #"{"max": [null, {"/": [{"var": "none"}, 1]}]}"#,
            context: [:], result: 0),
        Report(source: "json-everything/json-everything#286", rule: #"{"min": [1, null, 2]}"#, context: [:], result: 0),
        // An empty text is missing.
        Report(
            source: "json-everything/json-everything#404", rule: #"{"missing": ["a", "b"]}"#,
            context: ["a": "", "b": "x"], result: ["a"]),
        // The number that is needed was listed among the missing ones; where none is needed, none is missing.
        Report(
            source: "jamsesso/json-logic-java#22", rule: #"{"missing_some": [1, ["a", "b"]]}"#, context: [:],
            result: ["a", "b"]),
        Report(
            source: "jamsesso/json-logic-java#22", rule: #"{"missing_some": [0, ["a", "b"]]}"#, context: [:],
            result: []),
        // Versions were compared as texts, and one of many digits ended the process.
        Report(
            source: "growthbook/growthbook-swift#38", rule: #"{"sem_ver": [{"var": "v"}, "<", "0.10.0"]}"#,
            context: ["v": "0.9.0"], result: true),
        Report(
            source: "growthbook/growthbook-swift#182", rule: #"{"sem_ver": [{"var": "v"}, ">", "v20250131.2.0"]}"#,
            context: ["v": "20250201123456.0.0"], result: true),
        // A version that is no text was an error, and one that can't be read gave false instead of null.
        Report(
            source: "launchdarkly/java-server-sdk#185", rule: #"{"sem_ver": [{"var": "v"}, "=", "7"]}"#,
            context: ["v": 7], result: true),
        Report(
            source: "open-feature/js-sdk-contrib#1515", rule: #"{"===": [{"sem_ver": ["x.y", "=", "1.0.0"]}, null]}"#,
            context: [:], result: true),
        Report(
            source: "open-feature/js-sdk-contrib#1515", rule: #"{"===": [{"starts_with": [{"var": "n"}, "1"]}, null]}"#,
            context: ["n": 12], result: true),
        // No number was ever found in a list.
        Report(
            source: "growthbook/growthbook-kotlin#65",
            rule: #"{"in": [{"var": "build"}, [3440, 3441, 3442, 3443, 3444, 3445]]}"#, context: ["build": 3440],
            result: true),
        // A division by nothing gave the number itself, and `in` with a number or with one argument was an error.
        Report(source: "jamsesso/json-logic-java#11", rule: #"{"!!": [{"/": [8]}]}"#, context: [:], result: false),
        Report(source: "jamsesso/json-logic-java#11", rule: #"{"in": ["abc", 3]}"#, context: [:], result: false),
        Report(source: "jamsesso/json-logic-java#11", rule: #"{"in": ["Spring"]}"#, context: [:], result: false),
        // A list was searched as the text that it prints as, and a text from the data was not searched at all.
        Report(
            source: "advantagefse/json-logic-kotlin#12", rule: #"{"in": ["b", {"var": "types"}]}"#,
            context: ["types": ["abc", "123"]], result: false),
        Report(
            source: "bhgames/json-logic-ruby#11", rule: #"{"in": ["123", {"var": "code"}]}"#,
            context: ["code": "45736123"], result: true),
        // Three texts could not be ordered, only two.
        Report(
            source: "json-everything/json-everything#373", rule: #"{"<": ["1", 2, {"var": "n"}]}"#,
            context: ["n": "10"],
            result: true),
        // The default replaced a null that is there, and was not given where there is no element.
        Report(
            source: "jamsesso/json-logic-java#59", rule: #"{"var": ["user.age", 42]}"#,
            context: ["user": ["age": .null]],
            result: .null),
        Report(
            source: "jamsesso/json-logic-java#59", rule: #"{"var": ["items.2", "missing"]}"#,
            context: ["items": [10, 20]], result: "missing"),
        // The default replaced what the elements have, and empty texts fell out of the result.
        Report(
            source: "diegoholiveira/jsonlogic#110", rule: #"{"map": [{"var": "list"}, {"var": ["x", "none"]}]}"#,
            context: ["list": [["x": "1"], ["x": ""], ["y": "2"]]], result: ["1", "", "none"]),
        // `all` was true for an element that is the empty text.
        Report(
            source: "json-logic/json-logic-engine#54",
            rule: #"{"all": [{"var": ["test", [""]]}, {"!==": [{"var": ""}, ""]}]}"#, context: ["test": [""]],
            result: false),
        // In `reduce`, `missing` did not look into the element.
        Report(
            source: "json-everything/json-everything#429",
            rule: #"{"reduce": [{"var": "drivers"}, {"missing": "current.id"}, false]}"#,
            context: ["drivers": [["id": true]]], result: []),
        // An empty list counted as true.
        Report(
            source: "open-feature/flagd#1615", rule: #"{"if": [{"missing": ["user"]}, "true", "false"]}"#,
            context: ["user": "foo"], result: "false"),
        // What comes after the hyphen was not compared.
        Report(
            source: "thomaspoignant/go-feature-flag#3617", rule: #"{"sem_ver": [{"var": "v"}, ">", "1.0.0-1234"]}"#,
            context: ["v": "1.0.0-2345"], result: true),
        // An attribute that is null met any condition.
        Report(
            source: "growthbook/growthbook-swift#95", rule: #"{"==": [{"var": "email"}, "a@b.example"]}"#,
            context: ["email": .null], result: false),
        // The initial value of `reduce` was not evaluated, and neither were the elements of a list.
        Report(
            source: "jwadhams/json-logic-js#137",
            rule:
                #"{"reduce": [{"var": "list"}, {"+": [{"var": "current"}, {"var": "accumulator"}]}, {"var": "start"}]}"#,
            context: ["list": [1, 2, 3], "start": 10], result: 16),
        Report(
            source: "QubitProducts/jsonlogic#1",
            rule:
                #"{"reduce": [[{"var": "a"}, {"var": "b"}], {"+": [{"var": "accumulator"}, {"var": "current.qty"}]}, 0]}"#,
            context: ["a": ["qty": 1], "b": ["qty": 2]], result: 3),
        // The data in `reduce` contained itself.
        Report(
            source: "jamsesso/json-logic-java#48", rule: #"{"reduce": [[1], {"var": ""}, 0]}"#, context: [:],
            result: ["current": 1, "accumulator": 0]),
        // A division by zero ended the process.
        Report(
            source: "advantagefse/json-logic-swift#33", rule: #"{"cat": [{"/": [10, null]}, {"and": [true, null]}]}"#,
            context: [:], result: "Infinity"),
        // A start before the beginning of the text was an error.
        Report(
            source: "diegoholiveira/jsonlogic#52", rule: #"{"substr": ["jsonlogic", -10]}"#, context: [:],
            result: "jsonlogic"),
        // A version that begins with v was refused, or compared with others of its kind only; build metadata counted.
        Report(
            source: "open-feature/flagd#1873", rule: #"{"sem_ver": ["v1.0.0+build1", "=", "1.0.0"]}"#, context: [:],
            result: true),
        Report(
            source: "bucketeer-io/bucketeer#2354", rule: #"{"sem_ver": [{"var": "v"}, ">=", "10.154.2"]}"#,
            context: ["v": "v10.154.10"], result: true),
        Report(
            source: "open-feature/dotnet-sdk-contrib#634",
            rule: #"{"===": [{"sem_ver": ["1.0.0", "=~", "1.0.0"]}, null]}"#,
            context: [:], result: true),
        // The last share was given out although its weight is zero: this key has the greatest hash.
        Report(
            source: "launchdarkly/java-server-sdk#227",
            rule: #"{"fractional": ["ceQdGm", ["a", 989], ["b", 11], ["c", 0]]}"#,
            context: [:], result: "b"),
        // A value in a list of its own was taken for the list.
        Report(source: "json-logic/json-logic-engine#31", rule: #"{"!": [false]}"#, context: [:], result: true),
        // What is missing came before any text.
        Report(
            source: "diegoholiveira/jsonlogic#32", rule: #"{"and": [{"<": [{"var": "foo"}, "bar"]}]}"#, context: [:],
            result: false),
        // An attribute that is missing, or null, was in no list and in none outside of it.
        Report(
            source: "growthbook/growthbook-swift#185", rule: #"{"!": {"in": [{"var": "country"}, ["RU", "CN"]]}}"#,
            context: ["country": .null], result: true),
        // Characters were counted in place of code units.
        Report(
            source: "RevenueCat/purchases-ios#7552", rule: #"{"substr": ["👍x", 0, 2]}"#, context: [:], result: "👍"),
        // A rule without a value for all other cases gave false or the last condition.
        Report(
            source: "ehn-dcc-development/eu-dcc-business-rules#17",
            rule: #"{"===": [{"if": [false, "apple", false, "banana"]}, null]}"#, context: [:], result: true),
    ]

    @Test("isn't here: in an operator, in a document, in a rollout by an attribute") func reports() throws {
        try operators()
        try documents()
        try requirements()
        attribute()
    }

    private func operators() throws {
        for report in Self.reports {
            let rule = try TargetingRule(json(report.rule))
            #expect(try rule.evaluate(report.context) == report.result, "\(report.source): \(report.rule)")
        }
    }

    private func documents() throws {
        let definitions = try FlagDefinitions(
            json: """
                {"flags": {
                  "alone": {"state": "ENABLED", "variants": {"on": true}, "targeting": {"fractional": [["on", 1]]}},
                  "nested": {"state": "ENABLED", "variants": {"a": 1, "b": 2}, "defaultVariant": "a", "targeting":
                    {"if": [{"==": [{"var": "country"}, "DE"]}, {"fractional": [["b", 1], ["a", 0]]}, "a"]}},
                  "twice": {"state": "ENABLED", "variants": {"on": true, "off": false}, "defaultVariant": "off",
                    "targeting": {"if": [{"and": [{"$ref": "staff"}, {"var": "beta"}]}, "off", {"$ref": "staff"}, "on"]}},
                  "object": {"state": "ENABLED", "variants": {"on": {"a": 1}}, "targeting": {"if": [false, "on", null]}},
                  "unknown": {"state": "ENABLED", "variants": {"on": true, "off": false}, "defaultVariant": "off",
                    "targeting": {"if": [{"$ref": "staf"}, "on"]}}
                }, "$evaluators": {"staff": {"in": [{"var": "role"}, ["admin", "editor"]]}}}
                """)
        let user = EvaluationContext(targetingKey: "u", attributes: ["country": "DE", "role": "admin"])
        // open-feature/flagd#1924: a split into one share was refused.
        #expect(definitions.evaluate("alone", for: user).variant == "on")
        // open-feature/js-sdk-contrib#685: a split inside a condition was not evaluated.
        #expect(definitions.evaluate("nested", for: user).variant == "b")
        // launchdarkly/java-server-sdk#297: what two rules share could be evaluated only once.
        #expect(definitions.evaluate("twice", for: user).variant == "on")
        // open-feature/flagd#1913: a rule that gives null, without a default variant, gave an empty value.
        let object = definitions.evaluate("object", for: user)
        #expect(object.value == nil && object.reason == .default && object.errorCode == nil)
        // open-feature/js-sdk-contrib#1515: a reference that leads nowhere was reported without its name.
        #expect(definitions.errors.map(\.flagKey) == ["unknown"])
        #expect(definitions.errors.first?.message.contains(#""staf""#) == true)
        // open-feature/flagd#1875: a reference that leads nowhere was found only when the flag was evaluated.
        #expect(definitions.evaluate("unknown", for: user).errorCode == .parseError)
        // open-feature/js-sdk-contrib#1048: without a targeting key, the flag's key alone placed everybody.
        #expect(definitions.evaluate("alone", for: EvaluationContext()).value == nil)
    }

    private func requirements() throws {
        func flag(_ needs: String) -> String {
            #"{"state": "ENABLED", "variants": {"on": true}, "defaultVariant": "on", "metadata": {"tackline.requires": "\#(needs)"}}"#
        }
        let definitions = try FlagDefinitions(
            json: """
                {"flags": {"a": \(flag("b=on, c=on")), "b": \(flag("d=on")), "c": \(flag("d=on, d=on")),
                "d": {"state": "ENABLED", "variants": {"on": true}, "defaultVariant": "on"}, "e": \(flag("off=on")),
                "off": {"state": "DISABLED", "variants": {"on": true}, "defaultVariant": "on"}}}
                """)
        // growthbook/growthbook-kotlin#221: a flag that is required twice was taken for a circle.
        #expect(definitions.errors.isEmpty && definitions.evaluate("a", for: EvaluationContext()).value == true)
        // thomaspoignant/go-feature-flag#4266: a disabled flag gave a value that stood for none.
        let disabled = definitions.evaluate("off", for: EvaluationContext())
        #expect(disabled.value == nil && disabled.variant == nil && disabled.reason == .disabled)
        // bucketeer-io/bucketeer#968: what a flag requires was not evaluated before it.
        #expect(definitions.evaluate("e", for: EvaluationContext()).value == nil)
    }

    private func attribute() {
        // Flagsmith/flagsmith-engine#283: subjects without the attribute were placed by their own key.
        let rollout = PercentageRollout(100, of: "f", by: "company")
        #expect(!rollout.includes(EvaluationContext(targetingKey: "u")))
        #expect(rollout.includes(EvaluationContext(targetingKey: "u", attributes: ["company": "c"])))
        for generation in FractionalVersion.allCases {
            let rollout = PercentageRollout(100, of: "f", by: "company", fractional: generation)
            let evaluation = try? FlagDefinitions(["flags": ["f": rollout.definition]], fractional: generation)
                .evaluate("f", for: EvaluationContext(targetingKey: "u"))
            #expect(evaluation?.variant == "off", "\(generation)")
        }
    }
}
