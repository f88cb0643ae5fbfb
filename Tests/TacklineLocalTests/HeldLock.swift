import Foundation

/// The lock of a file, held as another process would hold it.
final class HeldLock: Sendable {
    private let path: String
    private let descriptor: CInt

    /// Takes the lock, which must be free.
    init?(of file: URL) {
        path = file.deletingLastPathComponent().appending(path: ".\(file.lastPathComponent).writing").path
        descriptor = open(path, O_RDWR | O_CREAT, 0o644)
        guard descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return nil }
    }

    /// Lets go, as a writer does that has nothing to write.
    func release() {
        unlink(path)
        close(descriptor)
    }
}
