import TacklineCore
import TacklineTesting
import XCTest

/// The forms for XCTest, as the documentation shows them.
final class XCTestFormTests: XCTestCase {
    private let flags = FlagsLoader(
        AppFlags.self, providers: [], issueReporter: FlagIssueReporter { XCTFail("\($0)") })

    override func invokeTest() {
        withFlags(AppFlags.self) {
            $0.set(\.newCheckout, to: true)
        } operation: {
            super.invokeTest()
        }
    }

    func testEveryTestOfTheClassIsInTheScope() async {
        await Task.yield()
        XCTAssertTrue(flags.newCheckout)
    }

    func testAReadOfAFlagWithoutAValueFailsTheTestUnlessAReporterWasChosen() {
        failures = []
        _ = FlagsLoader(AppFlags.self, providers: [.unimplemented], issueReporter: .silent).limit
        XCTAssertEqual(failures, [])
        _ = FlagsLoader(AppFlags.self, providers: [.unimplemented]).limit
        let collected = failures ?? []
        failures = nil
        XCTAssertEqual(collected.count, 1)
        XCTAssertTrue(collected.first?.contains(#"Flag "limit" was read"#) ?? false, "\(collected)")
    }

    /// The failures, while they are collected instead of counted.
    private var failures: [String]?

    #if canImport(ObjectiveC)
        override func record(_ issue: XCTIssue) {
            if failures == nil { super.record(issue) } else { failures?.append(issue.compactDescription) }
        }
    #else
        override func recordFailure(
            withDescription description: String, inFile filePath: String, atLine lineNumber: Int, expected: Bool
        ) {
            guard failures == nil else { return failures?.append(description) ?? () }
            super.recordFailure(withDescription: description, inFile: filePath, atLine: lineNumber, expected: expected)
        }
    #endif
}
