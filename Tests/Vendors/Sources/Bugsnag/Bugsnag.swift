// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
import Foundation

// What the guide on flags in crash reports uses of Bugsnag's SDK, with the signatures of the SDK 6.

public class Bugsnag: NSObject {
    public class func addFeatureFlag(name: String, variant: String?) {}
}
