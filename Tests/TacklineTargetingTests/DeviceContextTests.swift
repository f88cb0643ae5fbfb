import Foundation
import Synchronization
import TacklineCore
import TacklineTargeting
import TacklineTestSupport
import Testing

/// The context of the app and the device that it runs on.
@Suite("The context of a device") struct DeviceContextTests {
    /// Calls `body` with a folder that doesn't exist yet, and removes it afterwards.
    private func withFolder(_ body: (URL) throws -> Void) throws {
        let parent = try TemporaryFolder()
        try body(parent.file("installation/data"))
        withExtendedLifetime(parent) {}
    }

    /// Returns the issues that are reported while `body` runs.
    private func issues(of body: () throws -> Void) rethrows -> [FlagError] {
        let issues = Mutex<[FlagError]>([])
        let reporter = FlagIssueReporter { issue in issues.withLock { $0.append(issue) } }
        try FlagIssueReporter.withReporter(reporter, operation: body)
        return issues.withLock { $0 }
    }

    @Test("has the same identifier at each launch, and only the attributes that are listed and not left out")
    func attributes() throws {
        try withFolder { folder in
            let first = EvaluationContext.device(installationID: .persistent(in: folder))
            let identifier = try #require(first.targetingKey)
            #expect(UUID(uuidString: identifier) != nil)
            #expect(first == EvaluationContext.device(installationID: .persistent(in: folder)))
            #expect(first.attributes["installationID"] == .string(identifier))
            let listed = EvaluationContext.DeviceAttribute.allCases.map(\.rawValue)
            #expect(first.attributes.keys.allSatisfy(listed.contains))
            for name in ["systemName", "systemVersion", "locale"] { #expect(first.attributes[name] != nil, "\(name)") }
            for omitted in EvaluationContext.DeviceAttribute.allCases {
                var expected = first
                expected.attributes[omitted.rawValue] = nil
                let context = EvaluationContext.device(installationID: .persistent(in: folder), without: [omitted])
                #expect(context == expected, "\(omitted)")
            }
            let signedIn = first.merging(["targetingKey": "user-42"])
            #expect(signedIn.targetingKey == "user-42")
            #expect(signedIn.attributes["installationID"] == .string(identifier))
            #expect(EvaluationContext.device(installationID: .existing("kept")).targetingKey == "kept")
            #expect(EvaluationContext.device(installationID: .none).targetingKey == nil)
        }
    }

    @Test("gets one identifier however many make it at once, also in place of a damaged file, and none without a place")
    func race() throws {
        try withFolder { folder in
            let file = folder.appending(path: "installation-id")
            var former: String?
            for content in [nil, "", "no identifier", String(repeating: "a", count: 5000)] {
                if let content { try Data(content.utf8).write(to: file) }
                let found = Mutex<Set<String?>>([])
                let issues = Mutex<[FlagError]>([])
                let reporter = FlagIssueReporter { issue in issues.withLock { $0.append(issue) } }
                DispatchQueue.concurrentPerform(iterations: 32) { _ in
                    FlagIssueReporter.withReporter(reporter) {
                        let context = EvaluationContext.device(installationID: .persistent(in: folder))
                        found.withLock { _ = $0.insert(context.targetingKey) }
                    }
                }
                let identifiers = found.withLock { $0 }
                let identifier = try #require(identifiers.first ?? nil)
                #expect(identifiers.count == 1 && identifier != former)
                #expect(try String(contentsOf: file, encoding: .utf8) == identifier + "\n")
                // An empty file is what a launch leaves that ended at the wrong moment, and had no identifier yet.
                let damaged = content.map { $0.isEmpty ? 0 : 1 } ?? 0
                #expect(issues.withLock { $0.filter { $0.code == .lostInstallationID }.count } == damaged)
                former = identifier
            }
        }
        try checkNowhere()
    }

    /// There is no identifier where none can be kept, and an issue.
    private func checkNowhere() throws {
        try withFolder { folder in
            try FileManager.default.createDirectory(
                at: folder.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data("in the way".utf8).write(to: folder)
            let reported = issues {
                let context = EvaluationContext.device(installationID: .persistent(in: folder))
                #expect(context.targetingKey == nil && context.attributes["installationID"] == nil)
            }
            #expect(reported.map(\.code) == [.lostInstallationID])
            #expect(reported.first?.message.contains("/data/installation-id") == true)
        }
    }
}
