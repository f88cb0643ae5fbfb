#if CommandLine
    import Testing

    @testable import TacklineCLI

    @Suite("A source text")
    struct SourceScannerTests {
        private func mentions(_ text: String) -> (words: Set<String>, texts: Set<String>) {
            var scanner = SourceScanner(Array(text.utf8))
            var words: Set<String> = []
            var texts: Set<String> = []
            scanner.scan { token in
                guard !token.isDeclared else { return }
                if token.isText { texts.insert(token.content) } else { words.insert(token.content) }
            }
            return (words, texts)
        }

        @Test("mentions what it uses, and not what it declares or comments on")
        func words() {
            let (words, _) = mentions(
                "var a: Int; let `b` = c.d // e\n/* f /* g */ h */ case i\nx.$j \\.k .l été\n\"m\"")
            #expect(words.isSuperset(of: ["c", "d", "j", "k", "l", "été", "x", "Int"]))
            #expect(words.isDisjoint(with: ["a", "b", "e", "f", "g", "h", "i", "m"]))
        }

        @Test("mentions what is interpolated into a string")
        func interpolation() {
            #expect(mentions(#"print("tries: \(flags.attempts)")"#).words.isSuperset(of: ["flags", "attempts"]))
        }

        @Test(
            "mentions what is interpolated among other strings, into strings with marks, and behind strings",
            arguments: [
                ##"let a = #"x \#(flags.attempts)"#"##, #"let b = "\(f("x") ? flags.attempts : "y") c""#,
                #"let c = "\(g(["k": "\(h("(", flags.attempts))"]))""#,
                "let d = \"\"\"\n  x\n  \"\"\", e = flags.attempts",
                ##"let f = #"a " b"#, g = flags.attempts"##, #"let h = /"/; let i = flags.attempts"#,
            ])
        func nestedInterpolation(text: String) {
            #expect(mentions(text).words.contains("attempts"))
        }

        @Test("reads strings without an end, and interpolations inside each other, in time")
        func hostile() {
            for text in ["\"\\(", "\"\\(\"", "#\"\\#(", "\"", "\"\\"] {
                let (words, _) = mentions(String(repeating: text, count: 20_000) + "\n word")
                #expect(words.contains("word"), "\(text)")
            }
        }

        @Test("mentions keys in quotes, other than those of a declaration")
        func texts() {
            let (_, texts) = mentions(
                #"@Flag(key: "a", default: "b") f(at: "c") @Flag(key: .absolute("d")) // "e"\#n"un\"ended"#)
            #expect(texts.isSuperset(of: ["b", "c"]) && texts.isDisjoint(with: ["a", "d", "e"]))
        }

        @Test("that is cut off anywhere is read to its end")
        func cut() {
            for text in ["/*", "\"", "\"\\", "/", "//", "/* \"", "`", "*/"] {
                let (words, _) = mentions("a " + text)
                #expect(words.contains("a"), "\(text)")
            }
        }
    }
#endif
