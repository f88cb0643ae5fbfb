// swift-format-ignore-file
// A stub of the UIKit API that our conditional files use. Written from Apple's documentation; nothing here runs.
@_exported import Foundation

@MainActor @preconcurrency open class UIResponder {}
@MainActor @preconcurrency open class UIViewController: UIResponder {
  public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {}
  public required dynamic init?(coder: NSCoder) { nil }
  open func present(_ viewControllerToPresent: UIViewController, animated flag: Bool, completion: (() -> Void)? = nil) {}
}
