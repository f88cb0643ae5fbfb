import Foundation
import TacklineCore
import TacklineLocal
import TacklineTestSupport
import TacklineTesting
import Testing

@Suite("The rules for providers", .hangLimit)
struct LocalProviderConformanceTests {
    @Test("are kept by local providers of each format")
    func conformance() async throws {
        // At the same time, because several checks take as long as they are given.
        try await withThrowingTaskGroup(of: Void.self) { group in
            for fileExtension in ["json", "plist", "bplist"] {
                group.addTask { try await conformance(fileExtension: fileExtension) }
            }
            try await group.waitForAll()
        }
    }

    private func conformance(fileExtension: String) async throws {
        let folder = try TemporaryFolder()
        var suite = FlagProviderConformance(holding: ["flat/key": 1, "group/inner/deep": "text"]) {
            let url = folder.file("\(UUID().uuidString).\(fileExtension)")
            try LocalProvider(file: url).setValues(["flat/key": 1, "group": ["inner": ["deep": "text"]]])
            return LocalProvider(file: url, settings: .init(lockTimeLimit: .seconds(3600)))
        }
        // How writes are ordered does not depend on the format, so the slower formats need not show it as often.
        if fileExtension != "json" { suite.concurrentWrites = 40 }
        suite.stuckWrite = { provider, whileStuck in
            let provider = try #require(provider as? LocalProvider)
            let lock = try #require(HeldLock(of: provider.file))
            let write = startThread { try provider.setValue("stuck", for: "tackline_stuck") }
            whileStuck()
            lock.release()
            try await write.value
        }
        let report = await suite.report()
        #expect(report.failures.isEmpty)
        #expect(report.skipped.map(\.check) == [.refreshedKeys])
    }

    @Test("are kept with gathered writes")
    func gathered() async throws {
        let folder = try TemporaryFolder()
        await FlagProviderConformance {
            LocalProvider(
                file: folder.file("\(UUID().uuidString).json"), writeDelay: .milliseconds(5),
                settings: .init(lockTimeLimit: .seconds(3600))
            )
        }.expectConformance()
    }

    @Test("are kept by bundled files")
    func bundled() async throws {
        let folder = try TemporaryFolder()
        let url = try folder.file("a.json", #"{"flat/key": 1, "group": {"inner": {"deep": "text"}}}"#)
        await FlagProviderConformance(holding: ["flat/key": 1, "group/inner/deep": "text"]) {
            ReadOnlyLocalProvider(file: url)
        }.expectConformance()
    }
}
