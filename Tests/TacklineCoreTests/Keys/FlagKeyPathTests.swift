import TacklineCore
import Testing

@Suite("A key path")
struct FlagKeyPathTests {
    @Test("is split at its separator, and joined to the same text again")
    func split() {
        #expect(FlagKeyPath("a/b/c").components == ["a", "b", "c"])
        #expect(FlagKeyPath("a.b", separator: ".").components == ["a", "b"])
        #expect(FlagKeyPath("a::b", separator: "::").components == ["a", "b"])
        #expect(FlagKeyPath(components: ["a", "b"]).text == "a/b")
        #expect(FlagKeyPath("").components == [""])
        #expect(FlagKeyPath("a//b/").components == ["a", "", "b", ""])
        #expect(FlagKeyPath("a/b", separator: "").components == ["a/b"])
    }

    @Test("equals another one with the same names, whatever the separators are")
    func equality() {
        #expect(FlagKeyPath("a.b", separator: ".") == "a/b")
        #expect(FlagKeyPath("a.b", separator: ".").hashValue == FlagKeyPath("a/b").hashValue)
        #expect(FlagKeyPath("a.b") != "a/b")
    }

    @Test("leads to the paths that begin with it")
    func prefixes() {
        #expect(FlagKeyPath("a").isPrefix(of: "a/b"))
        #expect(FlagKeyPath("a/b").isPrefix(of: "a/b"))
        #expect(!FlagKeyPath("a/b").isPrefix(of: "a"))
        #expect(!FlagKeyPath("a").isPrefix(of: "ab"))
    }
}
