// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
import Foundation

// What the guide on flags at a crash uses of Datadog's SDK, with the signatures of the SDK 2.

public protocol RUMMonitorProtocol: AnyObject {
    func addFeatureFlagEvaluation(name: String, value: any Encodable)
}

public class RUMMonitor {
    private final class Monitor: RUMMonitorProtocol, Sendable {
        func addFeatureFlagEvaluation(name: String, value: any Encodable) {}
    }

    public static func shared() -> any RUMMonitorProtocol { Monitor() }
}
