import TacklineRemoteJSON

extension RemoteJSONConfiguration {
    /// Without a cache, without a gap between refreshes, and with timeouts that no slow machine reaches: a test that hangs is
    /// ended by its time limit.
    static func forTests(_ change: (inout RemoteJSONConfiguration) -> Void = { _ in }) -> RemoteJSONConfiguration {
        var configuration = RemoteJSONConfiguration()
        configuration.cache = .disabled
        configuration.transport = TestTransport.make()
        configuration.minimumManualRefreshGap = .zero
        configuration.responseHeaderTimeout = .seconds(3600)
        configuration.idleTimeout = .seconds(3600)
        configuration.totalDeadline = .seconds(7200)
        change(&configuration)
        return configuration
    }
}
