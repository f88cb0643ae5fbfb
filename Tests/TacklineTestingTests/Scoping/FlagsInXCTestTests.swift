import TacklineCore
import TacklineTesting
import XCTest

/// The XCTest form, as the documentation shows it.
final class FlagsInXCTestTests: XCTestCase {
    private let flags = FlagsLoader(
        AppFlags.self, providers: [], issueReporter: FlagIssueReporter { XCTFail("\($0)") })

    override func invokeTest() {
        withFlags {
            $0.set(\AppFlags.newCheckout, to: true)
        } operation: {
            super.invokeTest()
        }
    }

    func testEveryTestOfTheClassIsInTheScope() {
        XCTAssertTrue(flags.newCheckout)
        withFlags {
            $0.set(\AppFlags.limit, to: 1)
        } operation: {
            XCTAssertEqual(flags.limit, 1)
        }
    }

    func testAnAsynchronousTestIsInTheScope() async {
        await Task.yield()
        XCTAssertTrue(flags.newCheckout)
    }
}
