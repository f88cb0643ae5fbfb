#if CommandLine
    import TacklineCore
    import TacklineTargeting
    import Testing

    @testable import TacklineCLI

    @Suite("The schema of flag definitions")
    struct FixedSchemasTests {
        @Test("names the operators that rules have, and no others")
        func operators() {
            func isKnown(_ name: String) -> Bool {
                !TargetingRule.validate(.object([name: [1, 2]])).contains {
                    $0.message.contains("there is no operator")
                }
            }
            // A reference is valid only in the arguments of another operator.
            #expect(FixedSchemas.operators.filter { $0 != "$ref" && !isKnown($0) } == [])
            #expect(!isKnown("xor"))
        }
    }
#endif
