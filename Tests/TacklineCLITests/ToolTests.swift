#if CommandLine
    import Testing

    @Suite("The tool")
    struct ToolTests {
        @Test("explains itself when asked for help")
        func help() async throws {
            let tool = try await Tool.run("--help")
            #expect(tool.status == 0)
            #expect(tool.output.contains("Exit status"))
            #expect(tool.errors == "")
        }

        @Test("ends with 64 for an option that it does not have")
        func unknownOption() async throws {
            let tool = try await Tool.run("--colour")
            #expect(tool.status == 64)
            #expect(tool.errors.contains("--colour"))
        }
    }
#endif
