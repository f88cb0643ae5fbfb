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
                #expect(throws: TargetingError.self) { try rule(text) }
                let value = try json(text)
                // That it comes back is all that is asked for.
                _ = await onThread(stackSize: smallStack) { TargetingRule.validate(.object(["!": value])) }
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

    @Test("may name the smallest integer there is as a variant, or join it to a text")
    func smallestInteger() throws {
        let text = "-1.7014118346046923e+38"
        #expect(try rule(#"{"cat": [\#(Int128.min)]}"#).evaluate([:]) == .string(text))
        let document = """
            {"flags": {"a": {"state": "ENABLED", "variants": {"on": true}, "targeting": {"if": [true, \(Int128.min)]}}}}
            """
        #expect(try FlagDefinitions(json(document)).evaluate("a", for: [:]).errorCode == .general)
    }

    @Test("is refused when a reference makes it too deep")
    func deepReference() throws {
        let half = nested(40, #"{"!": ["#, #"{"var": "a"}"#, "]}")
        let outer = nested(40, #"{"!": ["#, #"{"$ref": "half"}"#, "]}")
        #expect(throws: TargetingError.self) { try TargetingRule(json(outer), evaluators: ["half": json(half)]) }
        // Used first where there is room, and then where there is none.
        let twice = #"{"and": [{"$ref": "half"}, \#(outer)]}"#
        #expect(throws: TargetingError.self) { try TargetingRule(json(twice), evaluators: ["half": json(half)]) }
        #expect(throws: Never.self) { try TargetingRule(json(#"{"$ref": "half"}"#), evaluators: ["half": json(half)]) }
    }

    @Test("is refused when it is larger than the limit")
    func tooLarge() throws {
        let limits = TargetingLimits(maximumSize: 1_000)
        let values = EncodedFlagValue.array(Array(repeating: 1, count: 1_001))
        #expect(throws: TargetingError.self) { try TargetingRule(["in": [1, values]], limits: limits) }
        let operations = EncodedFlagValue.array(Array(repeating: ["!": 1], count: 501))
        #expect(throws: TargetingError.self) { try TargetingRule(["and": operations], limits: limits) }
    }

    @Test("is evaluated where the limit of steps is the greatest number")
    func greatestLimit() throws {
        let rule = #"{"if": [{"<": [{"var": "$flagd.timestamp"}, 2000]}, "on", "off"]}"#
        let text = """
            {"flags": {"a": {"state": "ENABLED", "variants": {"on": 1, "off": 2}, "defaultVariant": "off", \
            "targeting": \(rule)}}}
            """
        let definitions = try FlagDefinitions(json: text, limits: TargetingLimits(maximumSteps: .max))
        #expect(definitions.evaluate("a", for: [:]).value == 2)
    }

    @Test("costs no more for naming one evaluator a thousand times")
    func manyReferences() throws {
        let large = EncodedFlagValue.object(["in": [["var": "a"], .array((0..<50_000).map { .integer($0) })]])
        let rule = EncodedFlagValue.object(["or": .array(Array(repeating: ["$ref": "large"], count: 1_000))])
        let compiled = try TargetingRule(rule, evaluators: ["large": large])
        #expect(throws: TargetingError.self) { try compiled.evaluate(["a": -1]) }
    }

    @Test("is read once for each evaluator, however often rules name it")
    func readingReferences() throws {
        let tests = (0..<2_000).map { EncodedFlagValue.object(["==": [["var": .string("a\($0)")], .integer($0)]]) }
        let naming = (0..<2_000).flatMap { _ in [EncodedFlagValue.object(["$ref": "large"]), "a"] }
        let document = EncodedFlagValue.object([
            "flags": ["flag": ["state": "ENABLED", "variants": ["a": 1], "targeting": ["if": .array(naming)]]],
            "$evaluators": ["large": ["or": .array(tests)]],
        ])
        // One by one these would be four million places.
        let problems = try FlagDefinitions(document).validate(attributes: ["a"])
        #expect(problems.count { $0.message.contains("did you mean \"a\"?") } == 10)
    }

    @Test("has each of its flags take all values of one evaluator, which is kept once")
    func shared() throws {
        let large = EncodedFlagValue.object(["in": [["var": "a"], .array((0..<500).map { .integer($0) })]])
        let flag = EncodedFlagValue.object([
            "state": "ENABLED", "variants": ["a": 1], "targeting": ["if": [["$ref": "large"], "a", "a"]],
        ])
        let keys = (10..<60).map(String.init)
        let document = EncodedFlagValue.object([
            "flags": .object(Dictionary(uniqueKeysWithValues: keys.map { ($0, flag) })),
            "$evaluators": ["large": large],
        ])
        let definitions = try FlagDefinitions(document, limits: TargetingLimits(maximumSize: 1_000))
        #expect(definitions.errors.isEmpty)
        #expect(keys.allSatisfy { definitions.evaluate($0, for: [:]).value == 1 })
        // For each flag it counts towards what a rule may have.
        let small = try FlagDefinitions(document, limits: TargetingLimits(maximumSize: 500))
        #expect(small.errors.count == 50 && small.errors[0].message.contains("more than 500 values"))
    }

    @Test("has metadata that its flags share")
    func metadata() throws {
        let own = EncodedFlagValue.object(["state": "ENABLED", "variants": ["a": 1], "metadata": ["own": 1]])
        let shared = (0..<100).map { ("m\($0)", EncodedFlagValue.integer(1)) }
        let flags = (1000..<1200).map { ("\($0)", own) }
        let document = EncodedFlagValue.object([
            "flags": .object(Dictionary(uniqueKeysWithValues: flags)),
            "metadata": .object(Dictionary(uniqueKeysWithValues: shared)),
        ])
        let definitions = try FlagDefinitions(document, limits: TargetingLimits(maximumSize: 1_000))
        #expect(definitions.errors.isEmpty)
        #expect(definitions.flags["1000"]?.metadata.count == 101)
        #expect(definitions.evaluate("1199", for: [:]).metadata.count == 101)
    }

    @Test("is gone through once for the places of all its mistakes")
    func places() throws {
        // Flags without a state, among as many others.
        let flag = #"{"state": "ENABLED", "variants": {"ü": 1}, "defaultVariant": "ü"}"#
        let keys = (1...10_000).map { #""k\#($0)": \#($0 % 1_000 == 0 ? #"{"variants": {"ü": 1}}"# : flag)"# }
        let text = #"{"flags": {"# + "\r\n" + keys.joined(separator: ",\r\n") + "}}"
        let errors = try FlagDefinitions(json: text).errors
        #expect(errors.count == 10)
        for error in errors {
            #expect(error.line == error.flagKey.flatMap { Int($0.dropFirst()) }.map { $0 + 1 } && error.column == 1)
        }
    }

    @Test("is told of some of its wrong variants, whatever it has")
    func wrongVariants() throws {
        let results = (0..<20_000).flatMap { number -> [EncodedFlagValue] in
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
        let errors = try FlagDefinitions(document, limits: TargetingLimits(maximumSize: 200_000)).errors
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
            let error = await onThread(stackSize: smallStack) { () -> TargetingError? in
                do throws(TargetingError) {
                    _ = try rule.evaluate(.null)
                    return nil
                } catch {
                    return error
                }
            }
            #expect(error?.code == .general, "\(text)")
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
        #expect(throws: TargetingError.self) { try rule.evaluate(.null) }
    }

    @Test("cannot make a search cost the product of two texts")
    func search() throws {
        let part = String(repeating: "a", count: 20_000) + "b"
        let text = String(repeating: "a", count: 60_000)
        let rule = try TargetingRule(["in": [.string(part), ["var": "text"]]])
        #expect(throws: TargetingError.self) { try rule.evaluate(["text": .string(text)]) }
        #expect(try TargetingRule(["in": ["ab", ["var": "text"]]]).evaluate(["text": .string(text + "b")]) == true)
    }

    @Test("cannot make a text longer than the limit")
    func longText() throws {
        let piece = String(repeating: "a", count: 40_000)
        let rule = try TargetingRule(["cat": [["var": "text"], ["var": "text"]]])
        #expect(throws: TargetingError.self) { try rule.evaluate(["text": .string(piece)]) }
        #expect(try TargetingRule(["cat": [["var": "text"]]]).evaluate(["text": .string(piece)]) == .string(piece))
    }

    @Test("says in the flag's own answer what became of it")
    func message() throws {
        let text =
            #"{"flags": {"f": {"state": "ENABLED", "variants": {"on": 1}, "defaultVariant": "on", "targeting": RULE}}}"#
            .replacing("RULE", with: #"{"map": [LIST, {"map": [LIST, {"map": [LIST, {"map": [LIST, 1]}]}]}]}"#)
            .replacing("LIST", with: Self.endless)
        let evaluation = try FlagDefinitions(json: Array(text.utf8)).evaluate("f", for: [:])
        #expect(evaluation.errorCode == .general)
        #expect(
            evaluation.errorMessage
                == "Flag \"f\": the rule was given up after 100000 steps; make it simpler or raise the limit.")
    }

    @Test("with values of a context that are nested without end is still answered")
    func deepContext() throws {
        var value: EncodedFlagValue = 1
        for _ in 0..<100 { value = .array([value]) }
        let context = value
        let rule = try TargetingRule(["cat": [["var": "deep"]]])
        #expect(throws: TargetingError.self) { try rule.evaluate(["deep": context]) }
    }
}
