// error: 'enablesEarlyData' is only available in macOS 26.0 or newer
import Foundation

#if canImport(Darwin)
    func session() -> URLSession {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.enablesEarlyData = true
        return URLSession(configuration: configuration, delegate: nil, delegateQueue: nil)
    }
#endif
