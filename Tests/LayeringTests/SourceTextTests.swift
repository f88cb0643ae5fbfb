import Testing

@Suite("The scanner of sources") struct SourceTextTests {
    private func words(_ text: String) -> [String] {
        SourceText(text).tokens.map(\.text).filter { $0.first?.isLetter == true }
    }

    @Test("skips comments and the text of string literals")
    func skips() {
        #expect(words("a // b\nc /* d /* e */ f */ g") == ["a", "c", "g"])
        #expect(words(#"a("b \" c") d"#) == ["a", "d"])
        #expect(words(##"a(#"b " c"#) d"##) == ["a", "d"])
        #expect(words("a = \"\"\"\n  b \"c\" d\n  \"\"\"\ne") == ["a", "e"])
        let texts = SourceText(#"a("b \"c\" \(d("e"))") + f"#).literals.map(\.text)
        #expect(texts == [#"b "c" \(…)"#, "e"])
        let lines = SourceText("\"\"\"\n  f \\\n    g\n  h\n  \"\"\"").literals.map(\.text)
        #expect(lines == ["f g\nh"])
    }

    @Test("scans the code of interpolations")
    func interpolation() {
        #expect(words(#"a("b \(c(d)) e \(f) g") h"#) == ["a", "c", "d", "f", "h"])
        #expect(words(##"a(#"b \(c) \#(d) e"#) f"##) == ["a", "d", "f"])
        #expect(words(#"a("b \("c \(d) e") f") g"#) == ["a", "d", "g"])
    }

    @Test("finds the types of a file with their access, without nested ones and extensions")
    func declarations() {
        let source = SourceText(
            """
            public final class A { struct B {} }
            @frozen package struct C: D {}
            private enum E {}
            extension F { class var g: Int { 0 } }
            protocol H: AnyObject {}
            """
        )
        let expected = [("A", "public"), ("C", "package"), ("E", "private"), ("H", "internal")]
        #expect(source.topLevelTypes == expected.map { SourceText.Declaration(name: $0.0, access: $0.1) })
    }

    @Test("counts lines and finds imports and attributes")
    func placesAndImports() {
        let source = SourceText("@testable import A\n/*\n*/ public import B\nlet c = \"\"\"\n\n\"\"\"\nd")
        #expect(source.imports == ["A", "B"])
        #expect(source.attributes == ["@testable"])
        #expect(source.tokens.last == SourceText.Token(text: "d", line: 7, depth: 0))
    }
}
