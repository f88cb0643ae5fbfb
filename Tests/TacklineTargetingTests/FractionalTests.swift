import TacklineCore
import TacklineTargeting
import Testing

@Suite("fractional")
struct FractionalTests {
    private func evaluate(_ arguments: String, _ data: EncodedFlagValue = .null) throws -> EncodedFlagValue {
        try TargetingRule(json("{\"fractional\": \(arguments)}")).evaluate(data)
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
