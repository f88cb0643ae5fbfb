import TacklineCore
import TacklineTesting
import XCTest

// The guide "Testing with flags" shows this class.

final class CheckoutTestCase: XCTestCase {
    private let flags = FlagsLoader(
        AppFlags.self, providers: [], issueReporter: FlagIssueReporter { XCTFail("\($0)") })

    override func invokeTest() {
        withFlags {
            $0.set(\AppFlags.newCheckout, to: true)
        } operation: {
            super.invokeTest()
        }
    }

    func testNewCheckoutHasTwoSteps() {
        XCTAssertEqual(Checkout(flags).steps, 2)
    }
}
