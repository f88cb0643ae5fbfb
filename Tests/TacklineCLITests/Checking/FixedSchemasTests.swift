#if CommandLine
    import TacklineCore
    import TacklineFormats
    import Testing

    @testable import TacklineCLI

    @Suite("The schema of flag definitions")
    struct FixedSchemasTests {
        @Test("names the operators that rules have, and no others")
        func operators() throws {
            let schema = try FlagJSONWriter(layout: .compact).text(of: FixedSchemas.flagd)
            for name in ["$ref", "==", "if", "var", "fractional", "sem_ver", "starts_with", "missing_some"] {
                #expect(schema.contains("\"\(name)\""), "\(name)")
            }
            #expect(!schema.contains("\"xor\""))
        }
    }
#endif
