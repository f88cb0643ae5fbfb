import TacklineCore
import TacklineTargeting
import TacklineTestSupport
import Testing

@Suite("fractional")
struct FractionalTests {
    private func evaluate(_ arguments: String, _ data: EncodedFlagValue = .null) throws -> EncodedFlagValue {
        try TargetingRule(json("{\"fractional\": \(arguments)}")).evaluate(data)
    }

    @Test("agrees with a slow reference for random weights and keys")
    func reference() throws {
        var generator = SeededGenerator(seed: 2)
        let limits: [Int64] = [1, 10, 100, 1_000, 1_000_000, 2_147_483_647]
        for _ in 0..<1_000 {
            let limit = limits[Int.random(in: 0..<limits.count, using: &generator)]
            let weights = (0..<Int.random(in: 1...5, using: &generator)).map { _ in
                Int64.random(in: -limit / 10...limit, using: &generator)
            }
            let key = generator.text(upTo: 40)
            let shares = weights.enumerated().map { position, weight in
                EncodedFlagValue.array([.string(String(position)), .integer(Int128(weight))])
            }
            let expected = FractionalReference.position(of: key, weights: weights)
                .map { EncodedFlagValue.string(String($0)) }
            let constant = EncodedFlagValue.object(["fractional": .array([.string(key)] + shares)])
            #expect(try TargetingRule(constant).evaluate(.null) == expected ?? .null, "\(key) \(weights)")
            // The same with weights that are only known when the rule is evaluated.
            let computed = shares.indices.map { position in
                EncodedFlagValue.array([
                    .string(String(position)), .object(["var": .string("weights.\(position)")]),
                ])
            }
            let rule = EncodedFlagValue.object(["fractional": .array([.object(["var": .string("key")])] + computed)])
            let data: EncodedFlagValue = .object([
                "key": .string(key), "weights": .array(weights.map { .integer(Int128($0)) }),
            ])
            #expect(try TargetingRule(rule).evaluate(data) == expected ?? .null, "\(key) \(weights)")
        }
    }

    @Test("is null for what its arguments may not be")
    func refused() throws {
        let cases: [String] = [
            #"["key", ["a", "1"]]"#, #"["key", ["a", 1.5]]"#, #"["key", ["a", 2147483648]]"#, #"["key", ["a", 0]]"#,
            #"["key", ["a", 2147483647], ["b", 1]]"#, #"["key", "a"]"#, #"["key", []]"#, #"["key", ["a", 1, 2]]"#,
            #"["key", [["a"], 1]]"#, #"["key", ["a", true]]"#, #"["key", ["a", -1]]"#, #"["key"]"#, "[]", #""key""#,
            #"[5, ["a", 1]]"#, #"[["a", 1]]"#, #"[null, ["a", 1]]"#, #"["key", ["a", 1e300]]"#,
            #"["key", ["a", 1], [["b"], 0]]"#, #"["key", ["a", 99999999999999999999999]]"#,
        ]
        for arguments in cases {
            #expect(try evaluate(arguments) == .null, "\(arguments)")
        }
    }

    @Test("takes a missing weight for 1, a negative one for 0, and a whole double for what it is")
    func weights() throws {
        #expect(try evaluate(#"["key", ["a"]]"#) == "a")
        #expect(try evaluate(#"["key", ["a", null]]"#) == "a")
        #expect(try evaluate(#"["key", ["a", -5], ["b", 1]]"#) == "b")
        #expect(try evaluate(#"["key", ["a", -5.0], ["b", 2.0]]"#) == "b")
        #expect(try evaluate(#"["key", ["a", 2147483647]]"#) == "a")
        #expect(try evaluate(#"["key", [true, 1]]"#) == true)
        #expect(try evaluate(#"["key", [7, 1]]"#) == 7)
        #expect(try evaluate(#"["key", [null, 1]]"#) == .null)
        #expect(try evaluate(#"["", ["a", 1], ["b", 1]]"#) == "a")
    }
}
