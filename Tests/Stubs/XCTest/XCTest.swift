// swift-format-ignore-file
// A stub of the XCTest API that our sources use; see the stub of Foundation. Nothing here runs.
@_exported import Foundation

public func XCTFail(_ message: String = "", file: StaticString = #filePath, line: UInt = #line) {}
