import TacklineCore
import TacklineTesting
import XCTest

/// What the provider does in a test of XCTest, whose failures are collected instead of counted.
final class UnimplementedProviderInXCTestTests: XCTestCase {
    private var failures: [String] = []
    private var isCollecting = false

    #if canImport(ObjectiveC)
        override func record(_ issue: XCTIssue) {
            if isCollecting { failures.append(issue.compactDescription) } else { super.record(issue) }
        }
    #else
        override func recordFailure(
            withDescription description: String, inFile filePath: String, atLine lineNumber: Int, expected: Bool
        ) {
            if isCollecting {
                failures.append(description)
            } else {
                super.recordFailure(
                    withDescription: description, inFile: filePath, atLine: lineNumber, expected: expected)
            }
        }
    #endif

    func testAReadOfAFlagWithoutAValueFailsTheTest() {
        isCollecting = true
        let flags = FlagsLoader(AppFlags.self, providers: [.unimplemented])
        _ = flags.newCheckout
        isCollecting = false
        XCTAssertEqual(failures.count, 1)
        XCTAssertTrue(failures.first?.contains(#"Flag "new_checkout" was read"#) ?? false, "\(failures)")
    }

    func testAReporterThatWasChosenIsToldInstead() {
        isCollecting = true
        let flags = FlagsLoader(AppFlags.self, providers: [.unimplemented], issueReporter: .silent)
        _ = flags.newCheckout
        isCollecting = false
        XCTAssertEqual(failures, [])
    }
}
