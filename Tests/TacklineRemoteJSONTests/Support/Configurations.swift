import TacklineRemoteJSON
import TacklineTesting

extension RemoteJSONConfiguration {
    /// Without a cache, without a gap between refreshes, and without real time: the clocks of provider and transport
    /// are two that stand still, so that a test which hangs is ended by its limit and by nothing else.
    static func forTests(_ change: (inout RemoteJSONConfiguration) -> Void = { _ in }) -> RemoteJSONConfiguration {
        var configuration = RemoteJSONConfiguration()
        configuration.cache = .disabled
        configuration.clock = ManualClock()
        configuration.transport = TestTransport.make()
        configuration.minimumManualRefreshGap = .zero
        configuration.stream.spread = .zero
        // Longer than whatever a test moves a clock of its own by.
        configuration.responseHeaderTimeout = .seconds(3600)
        configuration.idleTimeout = .seconds(3600)
        configuration.totalDeadline = .seconds(7200)
        change(&configuration)
        return configuration
    }
}
