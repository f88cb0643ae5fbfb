#if CommandLine
    import Testing
    import TacklineTargeting

    @testable import TacklineCLI

    @Suite("A suggestion")
    struct KeySuggestionTests {
        @Test(
            "is the nearest key, if one is near",
            arguments: [
                ("ssno", "sson"), ("sso", "sson"), ("secrets/boomfeature", "secrets/boom_feature"), ("SSON", nil),
                ("", nil), ("unrelated", nil), ("max_attempt", "max_attempts"),
            ] as [(String, String?)])
        func nearest(typed: String, meant: String?) {
            let suggestion = KeySuggestion(["max_attempts", "secrets/boom_feature", "sson"])
            #expect(suggestion.nearest(to: typed) == meant)
        }

        @Test("is not looked for among keys of absurd length")
        func long() {
            let long = String(repeating: "a", count: 100_000)
            #expect(KeySuggestion([long]).nearest(to: long + "b") == nil)
        }
    }
#endif
