import Tackline
import XCTest

nonisolated final class CheckoutUITests: XCTestCase {
    @MainActor func testNewCheckoutHasTwoSteps() {
        let app = XCUIApplication()
        app.launchArguments += FlagArguments(AppFlags.self) { $0.set(\.newCheckout, to: true) }
        app.launch()
        XCTAssertEqual(app.staticTexts["checkout"].label, "Two steps")
    }
}
