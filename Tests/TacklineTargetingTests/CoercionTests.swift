import TacklineCore
import TacklineTargeting
import Testing

/// Each expectation is what JavaScript gives, with JsonLogic's own rules where it has some.
@Suite("A rule coerces as JavaScript does")
struct CoercionTests {
    private func evaluate(_ rule: String, _ data: String = "null") throws -> EncodedFlagValue {
        try TargetingRule(json(rule)).evaluate(json(data))
    }

    @Test("in loose equality")
    func looseEquality() throws {
        let cases: [(String, Bool)] = [
            (#"[1, "1"]"#, true), (#"[1, "1.0"]"#, true), (#"[0, ""]"#, true), (#"[0, " "]"#, true),
            (#"[12, " 12 "]"#, true), (#"[31, "0x1F"]"#, true), (#"[31, "-0x1F"]"#, false), (#"[1, true]"#, true),
            (#"["1", true]"#, true), (#"["true", true]"#, false), (#"[0, false]"#, true), (#"["", false]"#, true),
            (#"[null, null]"#, true), (#"[null, 0]"#, false), (#"[null, false]"#, false), (#"[null, ""]"#, false),
            (#"["a", "a"]"#, true), (#"["a", "A"]"#, false), (#"[[1], 1]"#, true), (#"[[1], "1"]"#, true),
            (#"[[1, 2], "1,2"]"#, true), (#"[[], 0]"#, true), (#"[[], false]"#, true), (#"[[], ""]"#, true),
            (#"[[[]], 0]"#, true), (#"[[null], ""]"#, true), (#"[[0], false]"#, true), (#"[[], []]"#, false),
            (#"[[1], [1]]"#, false), (#"[1, 1.0]"#, true), (#"["1", "1.0"]"#, false),
            (#"["\u00e9", "e\u0301"]"#, false),
            (#"[{}, "[object Object]"]"#, true), (#"[1e3, "1e3"]"#, true), (#"["Infinity", 1]"#, false),
            (#"["abc", 0]"#, false), (#"[1, "1_0"]"#, false), (#"[0.1, ".1"]"#, true), (#"[5, "5."]"#, true),
            (#"[9007199254740993, 9007199254740992]"#, true), (#"[1.00000000000000001, 1]"#, true),
            (#"["0b11", 3]"#, true), (#"["0o17", 15]"#, true),
            (#"["\u00a0\ufeff7\u2029", 7]"#, true), (#"["inf", 0]"#, false), (#"["0x", 0]"#, false),
        ]
        for (arguments, expected) in cases {
            #expect(try evaluate("{\"==\": \(arguments)}") == .bool(expected), "\(arguments)")
            #expect(try evaluate("{\"!=\": \(arguments)}") == .bool(!expected), "\(arguments)")
            #expect(try evaluate("{\"if\": [{\"==\": \(arguments)}, 1, 2]}") == (expected ? 1 : 2), "\(arguments)")
        }
    }

    @Test("and what is not there gives the second argument of var, also past the end of a list")
    func absent() throws {
        let data = #"{"list": ["a", null], "text": "abc", "object": {"null": null}}"#
        for (path, expected) in [
            ("list.5", "d"), ("list.1", .null), ("list.0", "a"), ("list.-1", "d"), ("list.size", "d"), ("text.9", "d"),
            ("text.1", "b"), ("object.x", "d"), ("object.null", .null), ("object.null.x", "d"), ("nothing", "d"),
        ] as [(String, EncodedFlagValue)] {
            #expect(try evaluate(#"{"var": ["\#(path)", "d"]}"#, data) == expected, "\(path)")
            #expect(try evaluate(#"{"var": [{"cat": "\#(path)"}, "d"]}"#, data) == expected, "\(path)")
        }
        #expect(try evaluate(#"{"var": ["5", "d"]}"#, "[1]") == "d")
        #expect(try evaluate(#"{"map": [[[1]], {"var": ["1", "d"]}]}"#) == ["d"])
    }

    @Test("in order")
    func order() throws {
        let cases: [(String, Bool)] = [
            (#"{"<": ["a", "b"]}"#, true), (#"{"<": ["B", "a"]}"#, true), (#"{"<": ["10", "9"]}"#, true),
            (#"{"<": ["10", 9]}"#, false), (#"{"<": [null, 1]}"#, true), (#"{"<": ["a", 1]}"#, false),
            (#"{">": ["a", 1]}"#, false), (#"{">=": ["a", 1]}"#, false), (#"{"<=": [null, 0]}"#, true),
            (#"{">": [true, false]}"#, true), (#"{"<": [[2], 3]}"#, true), (#"{"<": [{}, 3]}"#, false),
            (#"{"<": [1, 2, 3]}"#, true), (#"{"<": [1, 3, 2]}"#, false), (#"{"<=": [1, 1, 1]}"#, true),
            (#"{"<": [1, 2, null]}"#, false), (#"{">": [1]}"#, false), (#"{"<": ["\ud83c\udf88", "\uffee"]}"#, true),
            (#"{">": [3, 2, 1]}"#, true), (#"{"<": ["", "a"]}"#, true), (#"{"<=": ["a", "a"]}"#, true),
        ]
        for (rule, expected) in cases {
            #expect(try evaluate(rule) == .bool(expected), "\(rule)")
        }
    }

    @Test("in arithmetic")
    func arithmetic() throws {
        let cases: [(String, String)] = [
            (#"{"+": ["1", "2"]}"#, "3"), (#"{"+": [true, null, ""]}"#, "1"), (#"{"+": ["3 apples", 1]}"#, "4"),
            (#"{"+": "0x10"}"#, "16"), (#"{"+": []}"#, "0"), (#"{"*": []}"#, "1"), (#"{"*": ["2", 3]}"#, "6"),
            (#"{"-": [5]}"#, "-5"), (#"{"-": ["5", "2"]}"#, "3"), (#"{"/": [1, 4]}"#, "0.25"),
            (#"{"%": [-7, 3]}"#, "-1"), (#"{"%": [5.5, 2]}"#, "1.5"), (#"{"max": [1, "3", 2]}"#, "3"),
            (#"{"min": [null, 5]}"#, "0"), (#"{"+": [0.1, 0.2]}"#, "0.30000000000000004"), (#"{"-": [[7], 2]}"#, "5"),
            (#"{"+": [9007199254740992, 1]}"#, "9007199254740992"), (#"{"*": [1e200, 1e100]}"#, "1e300"),
        ]
        for (rule, expected) in cases {
            #expect(try evaluate(rule) == json(expected), "\(rule)")
        }
    }

    @Test("in arithmetic that has no result")
    func notANumber() throws {
        let cases: [String] = [#"{"+": ["a", 1]}"#, #"{"-": [{}, 1]}"#, #"{"/": [0, 0]}"#]
        for rule in cases {
            guard case .double(let number) = try evaluate(rule) else {
                Issue.record("no double: \(rule)")
                continue
            }
            #expect(number.isNaN, "\(rule)")
            #expect(try evaluate("{\"!\": [\(rule)]}") == true, "\(rule)")
            #expect(try evaluate("{\"cat\": [\(rule)]}") == "NaN", "\(rule)")
        }
    }

    @Test("when numbers become text")
    func numberText() throws {
        let cases: [(String, String)] = [
            ("1", "1"), ("1.0", "1"), ("-0.0", "0"), ("0.1", "0.1"), ("1e21", "1e+21"),
            ("1e20", "100000000000000000000"),
            ("123456789012345680000", "123456789012345680000"), ("1e-6", "0.000001"), ("1e-7", "1e-7"),
            ("1.5e-9", "1.5e-9"), ("-1.25", "-1.25"), ("1e300", "1e+300"), ("5e-324", "5e-324"),
            ("9007199254740993", "9007199254740992"), ("1234.5678", "1234.5678"), ("-1e21", "-1e+21"),
            ("0.00001234", "0.00001234"), ("1.7976931348623157e308", "1.7976931348623157e+308"),
            ("1e16", "10000000000000000"),
        ]
        for (number, text) in cases {
            #expect(try evaluate("{\"cat\": [\(number)]}") == .string(text), "\(number)")
        }
    }

    @Test("when anything becomes text")
    func text() throws {
        let cases: [(String, String)] = [
            (#"{"cat": [null, "a", null]}"#, "a"), (#"{"cat": [[1, [2, null, 3]], true]}"#, "1,2,,3true"),
            (#"{"cat": [{}]}"#, "[object Object]"), (#"{"cat": []}"#, ""), (#"{"substr": [null, 0, 2]}"#, "nu"),
            (#"{"substr": [12345, -2]}"#, "45"), (#"{"substr": ["abc", 1, null]}"#, ""),
            (#"{"substr": ["🎈a", 2]}"#, "a"), (#"{"substr": ["🎈a", 1]}"#, "\u{fffd}a"),
            (#"{"substr": ["abc", -10, 2]}"#, "ab"), (#"{"substr": ["abc", 10]}"#, ""),
            (#"{"substr": ["abc", "1", "1"]}"#, "b"), (#"{"substr": ["abcdef", -4, -1]}"#, "cde"),
            (#"{"substr": ["abc", 1.9]}"#, "bc"), (#"{"substr": ["abc", 0, -5]}"#, ""),
        ]
        for (rule, expected) in cases {
            #expect(try evaluate(rule) == .string(expected), "\(rule)")
        }
    }

    @Test("in truth, except for empty lists")
    func truth() throws {
        let cases: [(String, Bool)] = [
            ("0", false), ("-1", true), (#""""#, false), (#""0""#, true), (#""false""#, true), ("null", false),
            ("[[]]", false), ("[[0]]", true), ("[{}]", true), ("0.0", false), ("true", true),
            (#"[{"a": 1, "b": 2}]"#, true),
        ]
        for (value, expected) in cases {
            #expect(try evaluate("{\"!!\": \(value)}") == .bool(expected), "\(value)")
            #expect(try evaluate("{\"!\": \(value)}") == .bool(!expected), "\(value)")
        }
    }

    @Test("in membership, which is strict")
    func membership() throws {
        let cases: [(String, Bool)] = [
            (#"["a", "cat"]"#, true), (#"["", "cat"]"#, true), (#"["cats", "cat"]"#, false), (#"[1, [1, 2]]"#, true),
            (#"["1", [1, 2]]"#, false), (#"[1, "123"]"#, true), (#"[null, [null]]"#, true), (#"["a", null]"#, false),
            (#"["a", {}]"#, false), (#"[[1], [[1]]]"#, false), (#"["a", 5]"#, false), (#"[1.0, [1]]"#, true),
            (#"["f", ["a", "b", "c", "d", "e", "f"]]"#, true), (#"["g", ["a", "b", "c", "d", "e", "f"]]"#, false),
            (#"[1, ["a", "b", "c", "d", "e", "1"]]"#, false),
            (#"["\u00e9", ["a", "b", "c", "d", "e", "e\u0301"]]"#, false),
        ]
        for (arguments, expected) in cases {
            #expect(try evaluate("{\"in\": \(arguments)}") == .bool(expected), "\(arguments)")
        }
    }

    @Test("when looking things up")
    func lookUp() throws {
        let cases: [(String, String, String)] = [
            (#"{"var": "a.b.0.c"}"#, #"{"a": {"b": [{"c": 5}]}}"#, "5"),
            (#"{"var": "a.length"}"#, #"{"a": [1, 2]}"#, "2"),
            (#"{"var": "a.1"}"#, #"{"a": "xyz"}"#, #""y""#), (#"{"var": "a.01"}"#, #"{"a": [1, 2]}"#, "null"),
            (#"{"var": ["a", 7]}"#, #"{"a": null}"#, "null"), (#"{"var": ["a.b", 7]}"#, #"{"a": null}"#, "7"),
            (#"{"var": 1.0}"#, "[4, 5]", "5"), (#"{"var": ""}"#, "[4]", "[4]"),
            (#"{"var": "a..b"}"#, #"{"a": {"": {"b": 1}}}"#, "1"),
            (#"{"var": [["a"], 3]}"#, #"{"a": 2}"#, "2"), (#"{"missing": ["a", "b"]}"#, #"{"a": ""}"#, #"["a", "b"]"#),
            (#"{"missing": [["a", "b"], "c"]}"#, #"{"a": 0}"#, #"["b"]"#),
            (#"{"missing_some": [1, ["a", "b"]]}"#, #"{"b": false}"#, "[]"),
            (#"{"reduce": [[1, 2, 3], {"+": [{"var": "current"}, {"var": "accumulator"}]}]}"#, "null", "6"),
            (#"{"map": [[1, 2], {"var": "outer"}]}"#, #"{"outer": 1}"#, "[null, null]"),
            (#"{"log": "x"}"#, "null", #""x""#), (#"{"all": [[], true]}"#, "null", "false"),
            (#"{"none": [5, true]}"#, "null", "true"), (#"{"some": [[0, 1], {"var": ""}]}"#, "null", "true"),
            (#"{"and": []}"#, "null", "null"), (#"{"?:": [false, 1, 2]}"#, "null", "2"),
            (#"{"a": 1, "b": 2}"#, "null", #"{"a": 1, "b": 2}"#),
        ]
        for (rule, data, expected) in cases {
            #expect(try evaluate(rule, data) == json(expected), "\(rule)")
        }
    }
}
