// swift-format-ignore-file
#if !canImport(Darwin) || !canImport(ObjectiveC) || !canImport(os) || !canImport(SwiftUI) || !canImport(Combine) || !canImport(XCTest)
#error("the stubs are not found")
#endif
#if !os(macOS) && !os(watchOS) && !canImport(UIKit)
#error("the stub of UIKit is not found")
#endif
