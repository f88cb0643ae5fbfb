#if CommandLine
    import Testing

    @testable import TacklineCLI

    @Suite("Text of unknown origin")
    struct SafeTextTests {
        @Test(
            "is spelled out where a terminal could take it for a command, and kept in any script that people write",
            arguments: [
                ("\u{1B}[2J", "\\u{1B}[2J"), ("\u{1B}]0;title\u{7}", "\\u{1B}]0;title\\u{7}"),
                ("\u{9B}31m", "\\u{9B}31m"),
                ("a\u{7F}b", "a\\u{7F}b"), ("a\nb\r\nc\td", "a\\nb\\r\\nc\\td"), ("\u{202E}evil", "\\u{202E}evil"),
                ("a\u{200B}b", "a\\u{200B}b"), ("\u{2028}", "\\u{2028}"), ("\u{0}", "\\u{0}"),
                ("\u{E000}", "\\u{E000}"),
                ("\u{E0041}", "\\u{E0041}"), ("a\u{200D}b", "a\\u{200D}b"), ("\u{301}", "\u{25CC}\u{301}"),
                ("Grüße", "Grüße"), ("日本語", "日本語"), ("👨‍👩‍👧‍👦", "👨‍👩‍👧‍👦"), ("❤️", "❤️"), ("🇩🇪", "🇩🇪"), ("e\u{301}", "e\u{301}"),
                ("क्षि", "क्षि"),
            ])
        func line(text: String, shown: String) {
            #expect(SafeText.line(text) == shown)
        }

        @Test("has few marks on one character and a bounded length, and is broken into its lines on request")
        func bounded() {
            let marks = "a" + String(repeating: "\u{301}", count: 100_000)
            #expect(SafeText.line(marks).unicodeScalars.count == 10)
            #expect(SafeText.line(String(repeating: "x", count: 100_000), limit: 10) == "xxxxxxxxxx…")
            #expect(SafeText.lines("a\r\n\tb\n\u{1B}c\n") == ["a", "    b", "\\u{1B}c", ""])
        }
    }
#endif
