// error: does not override any method from its superclass
#if canImport(ObjectiveC)
    import Foundation

    final class Listener: NSObject {
        override func observeValue(forKeyPath keyPath: String, of object: AnyObject?) {}
    }
#endif
