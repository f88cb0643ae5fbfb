// swift-format-ignore-file
// A stub of the UIKit API that our sources use; see the stub of Foundation. Nothing here runs.
@_exported import Foundation

@MainActor @preconcurrency open class UIResponder: NSObject {
  @MainActor @preconcurrency public override init() {}
  open var next: UIResponder? { fatalError() }
}
@MainActor @preconcurrency open class UIViewController: UIResponder {
  @MainActor @preconcurrency public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {}
  @MainActor @preconcurrency public required dynamic init?(coder: NSCoder) { nil }
  open func present(_ viewControllerToPresent: UIViewController, animated flag: Bool, completion: (() -> Void)? = nil) {}
  @available(iOS 26.0, tvOS 26.0, visionOS 26.0, *) open func updateProperties() {}
}
