// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
import Foundation

// What the guide on flags at a crash uses of Sentry's SDK, with the signatures of the SDK 8.

public enum SentryLevel: UInt {
    case none, debug, info, warning, error, fatal
}

public class Breadcrumb: NSObject {
    public var level: SentryLevel
    public var category: String
    public var message: String?

    public init(level: SentryLevel, category: String) { (self.level, self.category) = (level, category) }
}

public class Event: NSObject {
    public var context: [String: [String: Any]]?
}

public class Options: NSObject {
    public var onCrashedLastRun: ((Event) -> Void)?
}

public class SentrySDK: NSObject {
    public class func start(configureOptions: @escaping (Options) -> Void) { configureOptions(Options()) }
    public class func addBreadcrumb(_ crumb: Breadcrumb) {}
}
