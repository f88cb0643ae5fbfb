// error: that is not exposed to Objective-C
#if canImport(ObjectiveC)
    import Foundation

    final class Listener: NSObject {
        func listen() {
            NotificationCenter.default.addObserver(
                self, selector: #selector(changed), name: UserDefaults.didChangeNotification, object: nil)
        }

        func changed() {}
    }
#endif
