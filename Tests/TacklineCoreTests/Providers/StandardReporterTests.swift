import Synchronization
import TacklineCore
import TacklineMemory
import Testing

private struct TwinFlags: FlagCollectionProtocol {
    @Flag(key: "same", default: 1, description: "One") var first: Int
    @Flag(key: "same", default: 2, description: "Two") var second: Int
}

@Suite("The standard issue reporter") struct StandardReporterTests {
    /// Returns the codes of the issues that it writes for a declaration with a mistake and a provider with a wrong value.
    private func codes(isDebugging: Bool) -> [String] {
        let codes = Mutex<[String]>([])
        let output = FlagIssueReporter { issue in codes.withLock { $0.append(issue.code.name) } }
        let reporter = FlagIssueReporter.standard(isDebugging: isDebugging, output: output)
        #expect(reporter.isStandard)
        let provider = MemoryProvider(values: ["same": "no number"])
        let flags = FlagsLoader(TwinFlags.self, providers: [provider], issueReporter: reporter)
        #expect(flags.first == 1)
        // A build without reflection cannot be made in a test.
        reporter.report(FlagError(.missingReflection, "The properties cannot be seen."))
        return codes.withLock { $0 }
    }

    @Test("writes every issue in debug builds, and mistakes in the declaration in release builds")
    func builds() {
        #expect(codes(isDebugging: true) == ["duplicate-key", "refused-value", "missing-reflection"])
        #expect(codes(isDebugging: false) == ["duplicate-key", "missing-reflection"])
    }

    @Test("writes exactly these codes in release builds")
    func releasedCodes() {
        let written = Mutex<[FlagError.Code]>([])
        let output = FlagIssueReporter { issue in written.withLock { $0.append(issue.code) } }
        let reporter = FlagIssueReporter.standard(isDebugging: false, output: output)
        let declared: [FlagError.Code] = [
            .missingReflection, .unreachableFlag, .duplicateKey, .emptyKeyComponent, .separatorInKeyComponent,
            .emptySeparator, .wrongRoot, .cycle, .tooDeep,
        ]
        let others: [FlagError.Code] = [.refusedValue, .unboundFlag, .loaderGone, .unknownFlag, .hiddenFlag]
        for code in declared + others { reporter.report(FlagError(code, "A test.")) }
        #expect(written.withLock { $0 } == declared)
    }
}
