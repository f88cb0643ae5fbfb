import TacklineCore
import Testing

@Suite("A key path")
struct FlagKeyPathTests {
    @Test("is split at its separator and joined with it")
    func split() {
        #expect(FlagKeyPath("a/b/c").components == ["a", "b", "c"])
        #expect(FlagKeyPath("a.b", separator: ".").components == ["a", "b"])
        #expect(FlagKeyPath("a::b", separator: "::").components == ["a", "b"])
        #expect(FlagKeyPath(components: ["a", "b"]).text == "a/b")
        #expect(FlagKeyPath("").components == [""])
        #expect(FlagKeyPath("a//b/").components == ["a", "", "b", ""])
        #expect(FlagKeyPath("a/b", separator: "").components == ["a/b"])
    }

    @Test("equals another one with the same names and a different separator")
    func equality() {
        #expect(FlagKeyPath("a.b", separator: ".") == "a/b")
        #expect(FlagKeyPath("a.b", separator: ".").hashValue == FlagKeyPath("a/b").hashValue)
        #expect(FlagKeyPath("a.b") != "a/b")
    }

    @Test("is a prefix of itself and of longer key paths with the same first names")
    func prefixes() {
        #expect(FlagKeyPath("a").isPrefix(of: "a/b"))
        #expect(FlagKeyPath("a/b").isPrefix(of: "a/b"))
        #expect(!FlagKeyPath("a/b").isPrefix(of: "a"))
        #expect(!FlagKeyPath("a").isPrefix(of: "ab"))
    }
}
