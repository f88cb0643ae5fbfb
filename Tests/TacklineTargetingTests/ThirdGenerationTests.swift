import Foundation
import TacklineCore
import TacklineFormats
import TacklineTargeting
import TacklineTestSupport
import Testing

@Suite("Deterministic CBOR")
struct DeterministicCBORTests {
    /// RFC 8949, appendix A: what JSON can hold of it, in the order of the RFC.
    static let examples: [(json: String, hex: String)] = [
        ("0", "00"), ("1", "01"), ("10", "0a"), ("23", "17"), ("24", "1818"), ("25", "1819"), ("100", "1864"),
        ("1000", "1903e8"), ("1000000", "1a000f4240"), ("1000000000000", "1b000000e8d4a51000"),
        ("18446744073709551615", "1bffffffffffffffff"), ("-18446744073709551616", "3bffffffffffffffff"),
        ("-1", "20"), ("-10", "29"), ("-100", "3863"), ("-1000", "3903e7"), ("0.0", "f90000"), ("-0.0", "f98000"),
        ("1.0", "f93c00"), ("1.1", "fb3ff199999999999a"), ("1.5", "f93e00"), ("65504.0", "f97bff"),
        ("100000.0", "fa47c35000"), ("3.4028234663852886e+38", "fa7f7fffff"), ("1.0e+300", "fb7e37e43c8800759c"),
        ("5.960464477539063e-8", "f90001"), ("0.00006103515625", "f90400"), ("-4.0", "f9c400"),
        ("-4.1", "fbc010666666666666"), ("false", "f4"), ("true", "f5"), ("null", "f6"), (#""""#, "60"),
        (#""a""#, "6161"), (#""IETF""#, "6449455446"), (#""\"\\""#, "62225c"), (#""\u00fc""#, "62c3bc"),
        (#""\u6c34""#, "63e6b0b4"), (#""\ud800\udd51""#, "64f0908591"), ("[]", "80"), ("[1, 2, 3]", "83010203"),
        ("[1, [2, 3], [4, 5]]", "8301820203820405"),
        (
            "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25]",
            "98190102030405060708090a0b0c0d0e0f101112131415161718181819"
        ),
        ("{}", "a0"), (#"{"a": 1, "b": [2, 3]}"#, "a26161016162820203"), (#"["a", {"b": "c"}]"#, "826161a161626163"),
        (
            #"{"a": "A", "b": "B", "c": "C", "d": "D", "e": "E"}"#,
            "a56161614161626142616361436164614461656145"
        ),
    ]

    private func hex(_ value: EncodedFlagValue, _ numbers: DeterministicCBOR.Numbers) -> String {
        DeterministicCBOR.bytes(of: value, numbers: numbers).map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }

    @Test("is what RFC 8949 gives as examples", arguments: examples)
    func appendix(json text: String, hex expected: String) throws {
        #expect(hex(try json(text), .asTheyAre) == expected)
    }

    @Test("has infinity and NaN in 16 bits, which JSON cannot hold but a rule can make")
    func beyondJSON() {
        #expect(hex(.double(.infinity), .asTheyAre) == "f97c00")
        #expect(hex(.double(-.infinity), .asTheyAre) == "f9fc00")
        #expect(hex(.double(.nan), .wholeAsIntegers) == "f97e00")
    }

    @Test(
        "makes integers of whole numbers in range, and floats of all others",
        arguments: [
            ("1.0", "01"), ("-0.0", "00"), ("0.0", "00"), ("-4.0", "23"), ("1e2", "1864"),
            ("1e19", "1b8ac7230489e80000"),
            ("-9223372036854775808", "3b7fffffffffffffff"), ("-9223372036854775808.0", "3b7fffffffffffffff"),
            ("-9223372036854775809", "fadf000000"), ("18446744073709551616", "fa5f800000"),
            ("1e20", "fb4415af1d78b58c40"),
            ("0.1", "fb3fb999999999999a"), ("33554431.5", "fb417ffffff8000000"),
            (#"{"n": [1.0, 2.5]}"#, "a1616e8201f94100"),
        ])
    func normalized(json text: String, hex expected: String) throws {
        #expect(hex(try json(text), .wholeAsIntegers) == expected)
    }

    @Test("keeps floats of 16 and 32 bits at their edges")
    func edges() {
        for (number, expected) in [
            (0x1p-24, "f90001"), (0x1p-25, "fa33000000"), (0x1.ff8p-15, "f903ff"), (0x1.ffep-15, "fa387ff000"),
            (0x1.ffcp15, "f97bff"), (65_536.0, "fa47800000"), (0x1.ffep14, "fa46fff000"), (0x1p-149, "fa00000001"),
            (0x1p-150, "fb3690000000000000"), (0x1p128, "fb47f0000000000000"), (-0x1p-24, "f98001"),
        ] {
            #expect(hex(.double(number), .asTheyAre) == expected, "\(number)")
        }
    }

    @Test("orders the keys of objects by their encoded bytes")
    func order() throws {
        #expect(hex(try json(#"{"aa": 1, "b": 2, "": 3, "Z": 4}"#), .asTheyAre) == "a46003615a0461620262616101")
    }
}

@Suite("fractional of the third generation")
struct ThirdGenerationTests {
    private static let script = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Fractional/reference.py")
    private static let python = ["/usr/bin/python3", "/usr/local/bin/python3", "/opt/homebrew/bin/python3"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    private func definitions(_ targeting: String, _ generation: FractionalGeneration = .v3) throws -> FlagDefinitions {
        try FlagDefinitions(
            json: """
                {"flags": {"flag": {"state": "ENABLED", "variants": {"a": 1, "b": 2}, "defaultVariant": "b",
                "targeting": \(targeting)}}}
                """, fractional: generation)
    }

    @Test(
        "agrees with an implementation in Python for 24,000 random cases",
        .enabled(if: python != nil, "there is no python3, in which the reference is written"))
    func reference() throws {
        var generator = SeededGenerator(seed: 31)
        var rules: [(rule: EncodedFlagValue, data: EncodedFlagValue)] = []
        var lines: [String] = []
        let writer = FlagJSONWriter(layout: .compact)
        for _ in 0..<24_000 {
            let flagKey = generator.text(upTo: 30)
            let targetingKey: EncodedFlagValue? =
                switch Int.random(in: 0..<20, using: &generator) {
                case 0: nil
                case 1: .string("")
                case 2: generator.json(depth: 2)
                default: .string(generator.text(upTo: 40))
                }
            let shares = generator.shares()
            let key: EncodedFlagValue? = Int.random(in: 0..<4, using: &generator) == 0 ? nil : generator.json(depth: 3)
            var data: [String: EncodedFlagValue] = ["$flagd": ["flagKey": .string(flagKey)]]
            data["targetingKey"] = targetingKey
            var arguments = shares
            if let key {
                data["key"] = key
                arguments.insert(["var": "key"], at: 0)
            }
            // Every other rule has weights that are only known when it is evaluated.
            if rules.count.isMultiple(of: 2) { arguments.append(["if": [false, 0, ["c", 3]]]) }
            rules.append((["fractional": .array(arguments)], .object(data)))
            var evaluated = (key.map { [$0] } ?? []) + shares
            if (rules.count - 1).isMultiple(of: 2) { evaluated.append(["c", 3]) }
            var members: [String: EncodedFlagValue] = ["flagKey": .string(flagKey), "args": .array(evaluated)]
            members["targetingKey"] = targetingKey
            lines.append(try writer.text(of: .object(members)))
        }
        let answers = try answers(to: lines)
        try #require(answers.count == lines.count)
        var different = 0
        var placed = 0
        for (position, (rule, data)) in rules.enumerated() {
            let given = try TargetingRule(rule, fractional: .v3).evaluate(data)
            let expected = try json(answers[position])
            if expected != .null { placed += 1 }
            guard given != expected else { continue }
            different += 1
            if different <= 5 { Issue.record("\(lines[position]): \(given), in Python \(expected)") }
        }
        #expect(different == 0)
        #expect(placed > 12_000)
    }

    private func answers(to lines: [String]) throws -> [String] {
        let input = URL.temporaryDirectory.appending(path: "tackline-\(UUID().uuidString).jsonl")
        try (lines.joined(separator: "\n") + "\n").write(to: input, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: input) }
        let process = Process()
        process.executableURL = URL(filePath: Self.python ?? "")
        process.arguments = [Self.script.path(percentEncoded: false)]
        process.standardInput = try FileHandle(forReadingFrom: input)
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test("hashes a key of any type as what it is, so that 5, \"5\" and 5.0 of an attribute are two keys")
    func types() throws {
        let rule = try definitions(
            #"{"fractional": [{"var": "account"}, \#((0..<500).map { #"["v\#($0)"]"# }.joined(separator: ", "))]}"#)
        func message(_ account: EncodedFlagValue) -> String? {
            rule.evaluate("flag", for: EvaluationContext(attributes: ["account": account])).message
        }
        // The variants are unknown, so the message names the one that was chosen.
        #expect(message(5) == message(5.0))
        #expect(message(5) != message("5"))
        #expect(message(true) != message("true"))
        #expect(message(["a": 1, "b": 2]) == message(["b": 2.0, "a": 1]))
        #expect(message(["a": 1]) != message(["a": 2]))
    }

    @Test("tells the shorthand, which hashes a list, from the joined text, which the second generation does not")
    func shorthand() throws {
        let joined =
            #"{"fractional": [{"cat": [{"var": "$flagd.flagKey"}, {"var": "targetingKey"}]}, ["a", 10], ["b", 90]]}"#
        let short = #"{"fractional": [["a", 10], ["b", 90]]}"#
        for generation in FractionalGeneration.allCases {
            let (left, right) = (try definitions(joined, generation), try definitions(short, generation))
            let different = RolloutSimulation.syntheticUsers(2_000).count { user in
                left.evaluate("flag", for: user).variant != right.evaluate("flag", for: user).variant
            }
            #expect((different > 0) == (generation == .v3))
        }
    }

    @Test("places about 18 % of users on another side of a rollout at 10 % than the second")
    func between() throws {
        let rule = #"{"fractional": [["a", 10], ["b", 90]]}"#
        let change = RolloutComparison(
            of: "flag", from: try definitions(rule, .v2), to: try definitions(rule, .v3), users: 20_000)
        let share = Double(20_000 - change.unchangedCount) / 20_000
        #expect((0.17...0.19).contains(share), "\(share)")
    }

    @Test("gives nothing for a key that is null, and somebody is told")
    func nullKey() throws {
        let rule = #"{"fractional": [{"var": "account"}, ["a", 1]]}"#
        let user = EvaluationContext(targetingKey: "user-1")
        let evaluation = try definitions(rule).evaluate("flag", for: user)
        #expect(evaluation.variant == "b")
        #expect(evaluation.reason == .default)
        #expect(evaluation.message?.contains("null to bucket by") == true)
        // The second generation takes null for the default.
        #expect(try definitions(rule, .v2).evaluate("flag", for: user).reason == .split)
        let log = IssueLog()
        _ = DefinitionsProvider(
            try definitions(rule), name: "rules", context: .fixed(user), issueReporter: log.reporter)
        #expect(log.issues.map(\.code) == [.failedEvaluation])
    }

    @Test("is shown where a flag is explained, like the second")
    func explanation() throws {
        for generation in FractionalGeneration.allCases {
            let rule = try definitions(#"{"fractional": [["a", 1]]}"#, generation)
            let evaluation = rule.evaluate("flag", for: EvaluationContext(targetingKey: "user-1"))
            #expect(evaluation.fractional == generation)
            #expect(evaluation.details.description == "variant \"a\", SPLIT, fractional \(generation.rawValue)")
            #expect(rule.fractional == generation)
        }
    }
}

extension SeededGenerator {
    /// Any JSON, numbers at the edges of their encodings among them.
    mutating func json(depth: Int) -> EncodedFlagValue {
        switch Int.random(in: 0..<(depth > 0 ? 13 : 10), using: &self) {
        case 0: return .null
        case 1: return .bool(Bool.random(using: &self))
        case 2, 3: return .string(text(upTo: 300))
        case 4:
            let edge = Int128(1) << Int128.random(in: 0...90, using: &self)
            let number = edge + Int128.random(in: -2...2, using: &self)
            return .integer(Bool.random(using: &self) ? number : -number)
        case 5: return .integer(Int128.random(in: -300...300, using: &self))
        case 6: return .double(Double(Int.random(in: -3_000...3_000, using: &self)) / 8)
        case 7:
            let number = Double(bitPattern: UInt64.random(in: 0 ... .max, using: &self))
            return .double(number.isFinite ? number : -0.0)
        case 8: return .double(Double(Float(Double.random(in: -1e6...1e6, using: &self))))
        case 9: return .double(Double.random(in: -2e19...2e19, using: &self).rounded())
        case 10: return .array((0..<Int.random(in: 0...4, using: &self)).map { _ in json(depth: depth - 1) })
        default:
            var members: [String: EncodedFlagValue] = [:]
            // Two members at least: an object with one would be an operation, were it in the rule.
            for _ in 0..<Int.random(in: 2...6, using: &self) {
                let key = String(text(upTo: 30).unicodeScalars.filter(\.isASCII))
                members[key] = json(depth: depth - 1)
            }
            return .object(members)
        }
    }

    /// The shares of a split, some of them wrong.
    fileprivate mutating func shares() -> [EncodedFlagValue] {
        (0..<Int.random(in: 0...5, using: &self)).map { position in
            let variant: EncodedFlagValue =
                switch Int.random(in: 0..<12, using: &self) {
                case 0: .bool(Bool.random(using: &self))
                case 1: .integer(Int128(position))
                default: .string("v\(position)")
                }
            let weight: EncodedFlagValue
            switch Int.random(in: 0..<60, using: &self) {
            case 0: return [variant]
            case 1: weight = .null
            case 2: weight = .integer(Int128.random(in: -5...0, using: &self))
            case 3: weight = .integer(Int128.random(in: 2_147_483_000...2_147_483_700, using: &self))
            case 4: weight = .double(7)
            case 5: weight = .double(7.5)
            case 6: weight = "7"
            default: weight = .integer(Int128.random(in: 0...1_000, using: &self))
            }
            return [variant, weight]
        }
    }
}
