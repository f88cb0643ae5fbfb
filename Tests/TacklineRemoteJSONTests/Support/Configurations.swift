import TacklineRemoteJSON

extension RemoteJSONConfiguration {
    /// Without a cache and without a gap between refreshes.
    static func forTests(_ change: (inout RemoteJSONConfiguration) -> Void = { _ in }) -> RemoteJSONConfiguration {
        var configuration = RemoteJSONConfiguration()
        configuration.cache = .disabled
        configuration.minimumManualRefreshGap = .zero
        change(&configuration)
        return configuration
    }
}
