// swift-format-ignore-file
// A stub of the XCTest API that our sources use; see the stub of Foundation. Nothing here runs.
@_exported import Foundation

public func XCTFail(_ message: String = "", file: StaticString = #filePath, line: UInt = #line) {}
public func XCTAssertEqual<T: Equatable>(_ expression1: @autoclosure () throws -> T, _ expression2: @autoclosure () throws -> T, _ message: @autoclosure () -> String = "", file: StaticString = #filePath, line: UInt = #line) {}
open class XCTestCase: NSObject {
}
@MainActor open class XCUIElement: NSObject {
  open var label: String { fatalError() }
  open var staticTexts: XCUIElementQuery { fatalError() }
}
@MainActor open class XCUIElementQuery: NSObject { open subscript(key: String) -> XCUIElement { fatalError() } }
@MainActor open class XCUIApplication: XCUIElement {
  public override init() {}
  open var launchArguments: [String] { get { fatalError() } set {} }
  open func launch() {}
}
