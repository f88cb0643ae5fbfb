import Foundation
import TacklineCore
import TacklineTargeting
import TacklineTestSupport
import Testing

@Suite("fractional of the third generation, beside an implementation in another language,")
struct ThirdGenerationReferenceTests {
    private static let script = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Fractional/reference.py")
    private static let python = ["/usr/bin/python3", "/usr/local/bin/python3", "/opt/homebrew/bin/python3"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    /// One random split, for whom, and what flagd's evaluators are to be given.
    private struct Case {
        var flagKey: String
        var targetingKey: EncodedFlagValue?
        var key: EncodedFlagValue?
        /// What stands behind the key.
        var shares: [EncodedFlagValue]
        /// Whether there is one share more, with a weight that is only known when it is evaluated.
        var isOpen: Bool

        /// The rule, which takes the key from the context.
        var rule: EncodedFlagValue {
            var arguments = shares
            if key != nil { arguments.insert(["var": "key"], at: 0) }
            if isOpen { arguments.append(["if": [false, 0, ["c", 3]]]) }
            return ["fractional": .array(arguments)]
        }

        /// What the other implementation is asked, with everything evaluated.
        var question: EncodedFlagValue {
            var arguments = shares
            if let key { arguments.insert(key, at: 0) }
            if isOpen { arguments.append(["c", 3]) }
            var members: [String: EncodedFlagValue] = ["flagKey": .string(flagKey), "args": .array(arguments)]
            members["targetingKey"] = targetingKey
            return .object(members)
        }
    }

    private static let cases: [Case] = {
        var generator = SeededGenerator(seed: 31)
        return (0..<6_000).map { number in
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
            return Case(
                flagKey: flagKey, targetingKey: targetingKey, key: key, shares: shares,
                isOpen: number.isMultiple(of: 2))
        }
    }()

    @Test(
        "agrees with it for 6,000 random cases",
        .enabled(if: python != nil, "there is no python3, in which the reference is written"))
    func reference() async throws {
        let cases = Self.cases
        let writer = FlagJSONWriter(layout: .compact)
        let lines = try cases.map { try writer.text(of: $0.question) }
        let answers = try await answers(to: lines).map { try json($0) }
        try #require(answers.count == cases.count)
        var different = 0
        for (position, one) in cases.enumerated() {
            var data: [String: EncodedFlagValue] = ["$flagd": ["flagKey": .string(one.flagKey)]]
            data["targetingKey"] = one.targetingKey
            data["key"] = one.key
            let given = try TargetingRule(one.rule, fractional: .v3).evaluate(.object(data))
            guard given != answers[position] else { continue }
            different += 1
            if different <= 5 { Issue.record("\(lines[position]): \(given), in Python \(answers[position])") }
        }
        #expect(different == 0)
        #expect(answers.count { $0 != .null } > 3_000)
        // Keys beyond ASCII are among what is hashed.
        #expect(cases.count { $0.key?.hasKeyBeyondASCII == true } > 250)
    }

    private func answers(to lines: [String]) async throws -> [String] {
        let input = URL.temporaryDirectory.appending(path: "tackline-\(UUID().uuidString).jsonl")
        try (lines.joined(separator: "\n") + "\n").write(to: input, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: input) }
        let ending = try await ChildProcess(
            URL(filePath: "/bin/sh"), ["-c", #""$0" "$1" < "$2""#, Self.python ?? "", Self.script.path, input.path]
        ).ending()
        try #require(ending.status == 0, "\(ending.errors)")
        return ending.lines
    }
}

extension EncodedFlagValue {
    /// Whether the value, or one in it, is an object with a key that is not ASCII.
    fileprivate var hasKeyBeyondASCII: Bool {
        switch self {
        case .array(let elements): elements.contains(where: \.hasKeyBeyondASCII)
        case .object(let members):
            members.contains { !$0.key.unicodeScalars.allSatisfy(\.isASCII) || $0.value.hasKeyBeyondASCII }
        default: false
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
                members[text(upTo: 30)] = json(depth: depth - 1)
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
