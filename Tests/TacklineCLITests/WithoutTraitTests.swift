#if !CommandLine
    import Foundation
    import TacklineTestSupport
    import Testing

    @Suite("The tool built without its trait", .hangLimit)
    struct WithoutTraitTests {
        @Test("says how it is built, and ends with 2")
        func message() async throws {
            let tool = try #require(ChildProcess.program("tackline-tool"))
            let ending = try await ChildProcess(tool, []).ending()
            #expect(ending.status == 2 && !ending.isSignal)
            #expect(ending.errors.contains("swift run --traits CommandLine tackline-tool"))
            #expect(ending.errors.contains(".package(url: …, traits: [\"CommandLine\"])"))
        }
    }
#endif
