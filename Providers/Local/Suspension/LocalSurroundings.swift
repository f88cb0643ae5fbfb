import Dispatch
import TacklineFiles

#if canImport(Darwin)
    import Foundation

// Foundation: `ProcessInfo` keeps the process running.
#endif

/// The system functions that a file uses, which tests replace.
struct LocalSurroundings: Sendable {
    /// The function that keeps the process from being suspended, or `nil` if nothing suspends it.
    var suspension: ExpiringWork.System?
    /// Whether files are encrypted with a key that is unavailable while the device is locked.
    var protectsFiles: Bool
    /// Runs a closure later, on a thread that may block.
    var timer: @Sendable (_ delay: Duration, _ action: @escaping @Sendable () -> Void) -> Void
    /// Returns the bytes of a file, or `nil` if there is none. Throws if there are more than `limit`.
    var read: @Sendable (_ path: String, _ limit: Int) throws(FileFailure) -> [UInt8]?

    /// The functions of this process.
    static let current = LocalSurroundings(
        suspension: suspensionOfThisSystem, protectsFiles: suspensionOfThisSystem != nil,
        timer: { delay, action in
            DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + delay.timeInterval, execute: action)
        },
        read: { path, limit throws(FileFailure) in try StoredFile.bytes(of: path, limit: limit) })

    private static var suspensionOfThisSystem: ExpiringWork.System? {
        #if canImport(Darwin) && !os(macOS)
            { reason, block in ProcessInfo.processInfo.performExpiringActivity(withReason: reason, using: block) }
        #else
            nil
        #endif
    }
}
