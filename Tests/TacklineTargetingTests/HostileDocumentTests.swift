import TacklineCore
import TacklineTargeting
import TacklineTestSupport
import Testing

@Suite("A hostile document", .hangLimit)
struct HostileDocumentTests {
    /// What Apple's secondary threads have.
    private let smallStack = 512 << 10

    private func rule(_ text: String) throws -> TargetingRule { try TargetingRule(json(text)) }

    private func nested(_ depth: Int, _ open: String, _ core: String, _ close: String) -> String {
        String(repeating: open, count: depth) + core + String(repeating: close, count: depth)
    }

    @Test("is evaluated on a small stack as deep as the limit allows")
    func deepest() async throws {
        let cases: [(String, String)] = [
            (#"{"!": ["#, "]}"), (#"{"if": [true, "#, ", 1]}"), (#"{"+": [1, "#, "]}"), (#"{"cat": ["a", "#, "]}"),
            (#"{"and": [true, "#, "]}"), (#"{"map": [[1], "#, "]}"), (#"{"reduce": [[1], "#, ", 0]}"),
            (#"{"filter": [[1], "#, "]}"), (#"{"all": [[1], "#, "]}"), (#"{"==": [1, "#, "]}"), (#"{"<": [1, "#, "]}"),
            (#"{"var": ["#, "]}"), (#"{"missing": ["#, "]}"), (#"{"in": [1, "#, "]}"), (#"{"merge": ["#, "]}"),
            (#"{"fractional": ["#, "]}"), (#"{"fractional": [["a", "#, "]]}"), (#"{"sem_ver": ["#, ", \"=\", 1]}"),
            (#"{"starts_with": ["#, ", \"a\"]}"), (#"{"substr": ["#, ", 0, 1]}"), (#"{"max": ["#, "]}"), ("[", "]"),
            (#"{"log": "#, "}"),
        ]
        for (open, close) in cases {
            let perLevel = open.contains("[[\"a\"") ? 2 : 1
            let text = nested(62 / perLevel, open, #"{"var": "a"}"#, close)
            let deep = try rule(text)
            let isEvaluated = await onThread(stackSize: smallStack) { (try? deep.evaluate(["a": 1])) != nil }
            #expect(isEvaluated, "\(open)")
        }
    }

    @Test("is refused when it is nested more deeply than the limit")
    func tooDeep() async throws {
        let cases: [Int] = [65, 75]
        for depth in cases {
            for (open, close) in [(#"{"!": ["#, "]}"), ("[", "]"), (#"{"if": [true, "#, "]}")] {
                let text = nested(depth, open, #"{"var": "a"}"#, close)
                #expect(throws: FlagDefinitionProblem.self) { try rule(text) }
                let value = try json(text)
                // That it comes back is all that is asked for.
                let document: EncodedFlagValue = ["flags": .object([:]), "$evaluators": ["deep": ["!": value]]]
                _ = await onThread(stackSize: smallStack) { FlagDefinitions.validate(document) }
            }
            let document = """
                {"flags": {"deep": {"state": "ENABLED", "variants": {"on": true},
                "targeting": \(nested(depth, #"{"!": "#, "1", "}"))},
                "good": {"state": "ENABLED", "variants": {"on": true}, "defaultVariant": "on"}}}
                """
            let definitions = try FlagDefinitions(json(document))
            #expect(definitions.evaluate("deep", for: [:]).errorCode == .parseError, "\(depth)")
            #expect(definitions.evaluate("good", for: [:]).value == true, "\(depth)")
        }
    }

    @Test("is refused when a reference makes it too deep")
    func deepReference() throws {
        let half = nested(40, #"{"!": ["#, #"{"var": "a"}"#, "]}")
        let outer = nested(40, #"{"!": ["#, #"{"$ref": "half"}"#, "]}")
        #expect(throws: (any Error).self) { try TargetingRule(json(outer), evaluators: ["half": json(half)]) }
        // Used first where there is room, and then where there is none.
        let twice = #"{"and": [{"$ref": "half"}, \#(outer)]}"#
        #expect(throws: (any Error).self) { try TargetingRule(json(twice), evaluators: ["half": json(half)]) }
        #expect(throws: Never.self) { try TargetingRule(json(#"{"$ref": "half"}"#), evaluators: ["half": json(half)]) }
    }

    @Test("is refused when it is larger than the limit, with the evaluators that it names")
    func tooLarge() throws {
        let values = EncodedFlagValue.array(Array(repeating: 1, count: 100_001))
        #expect(throws: FlagDefinitionProblem.self) { try TargetingRule(["in": [1, values]]) }
        let half: EncodedFlagValue = ["in": [1, .array(Array(repeating: 1, count: 60_000))]]
        #expect(throws: FlagDefinitionProblem.self) {
            try TargetingRule(["and": [half, ["$ref": "half"]]], evaluators: ["half": half])
        }
        // It counts once, however often it is named.
        let twice: EncodedFlagValue = ["and": [["$ref": "half"], ["$ref": "half"]]]
        #expect(try TargetingRule(twice, evaluators: ["half": half]).evaluate(.null) == true)
    }

    @Test("names no attribute that takes long to look up: with a long run of combining marks, or with many bytes")
    func names() throws {
        let name = "a" + String(repeating: "\u{301}\u{323}", count: 200)
        #expect(throws: FlagDefinitionProblem.self) { try rule(#"{"var": "\#(name)"}"#) }
        #expect(try rule(#"{"var": {"cat": "\#(name)"}}"#).evaluate(.object([name: 1])) == .null)
        let long = EncodedFlagValue.object(["var": .string(String(repeating: "é", count: 400))])
        let many = try TargetingRule(["or": .array(Array(repeating: long, count: 1_000))])
        #expect(throws: (any Error).self) { try many.evaluate(["a": 1]) }
    }

    @Test("is told of some of its wrong variants, whatever it has")
    func wrongVariants() throws {
        let results = (0..<10_000).flatMap { number -> [EncodedFlagValue] in
            [["==": [["var": "a"], .integer(Int128(number))]], .string("b\(number)")]
        }
        let variants = (0..<5_000).map { ("a\($0)", EncodedFlagValue.integer(1)) }
        let document = EncodedFlagValue.object([
            "flags": [
                "flag": [
                    "state": "ENABLED", "variants": .object(Dictionary(uniqueKeysWithValues: variants)),
                    "targeting": ["if": .array(results)],
                ]
            ]
        ])
        let errors = try FlagDefinitions(document).errors
        #expect(errors.count == 20 && errors.allSatisfy { $0.message.utf8.count < 500 })
    }

    static let endless =
        #"[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35]"#

    @Test("ends with an error of its own, whatever it multiplies")
    func multiplying() async throws {
        let cases: [String] = [
            // Loops in loops.
            #"{"map": [LIST, {"map": [LIST, {"map": [LIST, {"map": [LIST, 1]}]}]}]}"#,
            #"{"filter": [LIST, {"all": [LIST, {"all": [LIST, {"none": [LIST, {"==": [1, 2]}]}]}]}]}"#,
            #"{"reduce": [LIST, {"reduce": [LIST, {"reduce": [LIST, {"reduce": [LIST, 1, 0]}, 0]}, 0]}, 0]}"#,
            // Values that double with each step.
            #"{"reduce": [LIST, {"cat": [{"var": "accumulator"}, {"var": "accumulator"}]}, "aaaaaaaaaaaaaaaa"]}"#,
            #"{"reduce": [LIST, {"merge": [{"var": "accumulator"}, {"var": "accumulator"}]}, [1]]}"#,
            #"{"reduce": [LIST, [{"var": "accumulator"}, {"var": "accumulator"}], 1]}"#,
            #"{"cat": {"reduce": [LIST, [{"var": "accumulator"}, {"var": "accumulator"}], 1]}}"#,
        ]
        for text in cases {
            let rule = try rule(text.replacing("LIST", with: Self.endless))
            let isStopped = await onThread(stackSize: smallStack) { (try? rule.evaluate(.null)) == nil }
            #expect(isStopped, "\(text)")
        }
    }

    @Test("cannot make a value too deep to be released")
    func deepValue() async throws {
        let numbers = EncodedFlagValue.array((0..<5_000).map { .integer($0) })
        for body in [#"[{"var": "accumulator"}]"#, #"{"var": ""}"#, #"{"map": [[1], {"var": ""}]}"#] {
            let rule = try TargetingRule(["reduce": [numbers, json(body), 1]])
            _ = await onThread(stackSize: smallStack) { try? rule.evaluate(.null) }
        }
        let rule = try TargetingRule(["reduce": [numbers, json(#"[{"var": "accumulator"}]"#), 1]])
        #expect(throws: (any Error).self) { try rule.evaluate(.null) }
    }
}
