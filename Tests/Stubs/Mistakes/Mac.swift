// systems: macos
#if canImport(Darwin)
    import Darwin
    import Foundation
    import Observation
    import os

    // mistake: is unavailable in macOS
    func write() { ProcessInfo.processInfo.performExpiringActivity(withReason: "x") { _ in } }

    // mistake: missing argument
    let log = Logger(subsystem: "flags")

    final class Listener: NSObject {
        func listen() {
            NotificationCenter.default.addObserver(
                // mistake: that is not exposed to Objective-C
                self, selector: #selector(changed), name: UserDefaults.didChangeNotification, object: nil)
        }

        func changed() {}

        // mistake: does not override any method from its superclass
        override func observeValue(forKeyPath keyPath: String, of object: AnyObject?) {}
    }

    func session(_ configuration: URLSessionConfiguration) {
        // mistake: 'enablesEarlyData' is only available in macOS 26.0 or newer
        configuration.enablesEarlyData = true
    }

    func follow(_ value: @escaping @Sendable () -> Bool) async {
        // mistake: is only available in macOS 26.0 or newer
        for await isOn in Observations(value) { print(isOn) }
    }

    func size(_ path: String) -> Int32 {
        var attributes = stat()
        guard stat(path, &attributes) == 0 else { return 0 }
        // mistake: cannot convert return expression of type 'off_t'
        return attributes.st_size
    }
#endif
