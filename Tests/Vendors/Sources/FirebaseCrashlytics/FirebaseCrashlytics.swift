// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
import Foundation

// What the guide on flags in crash reports uses of Firebase's SDK, with the signatures of the SDK.

public final class Crashlytics: NSObject {
    public static func crashlytics() -> Crashlytics { Crashlytics() }

    public func setCustomValue(_ value: Any?, forKey key: String) {}
}
