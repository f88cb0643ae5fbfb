import Dispatch

#if canImport(Darwin)
    import Foundation

// Foundation: it is asked to keep the process running.
#endif

/// What a file has around it, which tests replace.
struct LocalSurroundings: Sendable {
    /// What suspends this process; `nil` if nothing does.
    var suspension: ExpiringWork.System?
    /// Whether files are encrypted with a key that a locked device does not have.
    var protectsFiles: Bool
    /// Runs a closure later, on a thread that may wait.
    var timer: @Sendable (_ delay: Duration, _ action: @escaping @Sendable () -> Void) -> Void
    /// Reads the bytes of a file, of at most so many; `nil` if there is none.
    var read: @Sendable (_ path: String, _ limit: Int) throws(LocalFileFailure) -> [UInt8]?

    /// Those of this process.
    static let current = LocalSurroundings(
        suspension: suspensionOfThisSystem, protectsFiles: suspensionOfThisSystem != nil,
        timer: { delay, action in
            DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + delay.timeInterval, execute: action)
        },
        read: { path, limit throws(LocalFileFailure) in try LocalFileVersion.bytes(of: path, limit: limit) })

    private static var suspensionOfThisSystem: ExpiringWork.System? {
        #if canImport(Darwin) && !os(macOS)
            { reason, block in ProcessInfo.processInfo.performExpiringActivity(withReason: reason, using: block) }
        #else
            nil
        #endif
    }
}
