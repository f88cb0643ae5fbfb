import TacklineRemoteJSON
import TacklineTesting

extension RemoteJSONProvider.Configuration {
    /// Without a cache and without real time: the clock stands still, so that a test which
    /// hangs is ended by its limit and by nothing else.
    static func forTests(_ change: (inout RemoteJSONProvider.Configuration) -> Void = { _ in })
        -> RemoteJSONProvider.Configuration
    {
        var configuration = RemoteJSONProvider.Configuration()
        configuration.cache = .disabled
        configuration.clock = ManualClock()
        configuration.transport = TestTransport.make()
        configuration.randomNumber = { 0 }
        // Longer than whatever a test moves a clock by.
        configuration.requestTimeout = .seconds(1e6)
        change(&configuration)
        return configuration
    }
}
