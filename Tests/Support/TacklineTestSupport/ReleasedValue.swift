import Foundation
package import TacklineCore

extension EncodedFlagValue {
    /// Returns data that calls a closure when its last copy is released, so that a test can read a flag at that moment.
    ///
    /// Code that releases the value under a lock that the read takes is stopped by the lock, which isn't recursive.
    package static func released(_ action: @escaping @Sendable () -> Void) -> EncodedFlagValue {
        let bytes = UnsafeMutableRawPointer.allocate(byteCount: 4096, alignment: 16)
        bytes.initializeMemory(as: UInt8.self, repeating: 1, count: 4096)
        return .data(
            Data(
                bytesNoCopy: bytes, count: 4096,
                deallocator: .custom { bytes, _ in
                    bytes.deallocate()
                    action()
                }))
    }
}
