#if !CommandLine
    import Foundation
    import Testing

    @Suite("The tool built without its trait")
    struct WithoutTraitTests {
        @Test("says how it is built, and ends with 1")
        func message() throws {
            let bundles = Bundle.allBundles.filter { $0.bundlePath.hasSuffix(".xctest") }.map(\.bundleURL)
            let program = URL(filePath: ProcessInfo.processInfo.arguments[0])
            let places = bundles + [Bundle.main.bundleURL.appending(path: "x"), program]
            let tool = places.map { $0.deletingLastPathComponent().appending(path: "tackline") }
                .first { FileManager.default.isExecutableFile(atPath: $0.path) }
            let process = Process()
            let errors = Pipe()
            let executable: URL = try #require(tool)
            process.executableURL = executable
            process.standardError = errors
            try process.run()
            let text = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
            process.waitUntilExit()
            #expect(process.terminationStatus == 1)
            #expect(text.contains("swift run --traits CommandLine tackline"))
        }
    }
#endif
