// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
import Foundation

// What the guide on flags in crash reports uses of Sentry's SDK, with the signatures of the SDK 9.22.

public class SentrySDK: NSObject {
    public class func addFeatureFlag(name: String, result: Bool) {}
}
