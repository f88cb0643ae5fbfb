import Foundation
import TacklineCore
import TacklineFormats

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#else
    import Glibc
#endif

// Foundation: `URL` names the folder, and `FileManager` knows and makes it. Locks are the system's own, which a process loses
// however it ends.

/// The files of a ``LaunchGuard``: the history, what was in force when the app was healthy, and a file for each launch that is
/// young, which its process keeps locked.
struct LaunchFiles: Sendable {
    let folder: URL

    private var historyURL: URL { folder.appending(path: "history.json") }

    func makeFolder() throws {
        let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true, attributes: attributes)
    }

    /// Changes the history, alone among all processes.
    ///
    /// - Parameter body: Is told which launches of the history have died.
    /// - Throws: `CocoaError` or ``LaunchFileError``. The history is as it was then.
    func update<Result>(_ body: (inout LaunchHistory, _ dead: Set<String>) throws -> Result) throws -> Result {
        let lock = try Lock(folder.appending(path: "history.lock"), waits: true)
        defer { lock?.release() }
        let old = load()
        var history = old ?? LaunchHistory()
        let dead = Set(history.launches.map(\.id).filter(isDead))
        let result = try body(&history, dead)
        if history != old {
            try FlagJSONWriter(layout: .compact).data(of: history.encoded).write(to: historyURL, options: .atomic)
        }
        for id in dead { remove(launchURL(id)) }
        return result
    }

    /// The history, or `nil` if there is none or it is not as it was written.
    private func load() -> LaunchHistory? {
        guard let data = try? Data(contentsOf: historyURL), let value = try? FlagJSONReader().read(data) else {
            return nil
        }
        return try? LaunchHistory(encoded: value)
    }

    // MARK: Launches

    private func launchURL(_ id: String) -> URL { folder.appending(path: "launch-\(id)") }

    /// Marks a launch as alive as long as the lock is held.
    func begin(_ id: String) throws -> Lock? { try Lock(launchURL(id), waits: false) }

    /// Removes what processes left behind that died before they were in the history.
    func removeOrphans(of history: LaunchHistory) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false))) ?? []
        for name in names where name.hasPrefix("launch-") {
            let id = String(name.dropFirst("launch-".count))
            if !history.launches.contains(where: { $0.id == id }), isDead(id) { remove(launchURL(id)) }
        }
    }

    func end(_ id: String, _ lock: Lock) {
        remove(launchURL(id))
        lock.release()
    }

    /// A launch is dead if nobody holds the lock that its process would hold.
    private func isDead(_ id: String) -> Bool {
        guard FileManager.default.fileExists(atPath: launchURL(id).path(percentEncoded: false)) else { return true }
        guard let lock = try? Lock(launchURL(id), waits: false) else { return false }
        lock.release()
        return true
    }

    private func remove(_ url: URL) { try? FileManager.default.removeItem(at: url) }

    // MARK: Values

    private func valuesURL(_ provider: String) -> URL {
        folder.appending(path: "values-\(Fingerprint.of(Array(provider.utf8))).json")
    }

    /// What a provider had when the app was healthy; nothing if that is not known.
    func healthyValues(of provider: String) -> FlagDocument {
        guard let data = try? Data(contentsOf: valuesURL(provider)), let document = try? FlagDocument(json: data) else {
            return FlagDocument()
        }
        return document
    }

    func keep(_ document: FlagDocument, of provider: String) throws {
        try FlagJSONWriter(layout: .compact).data(of: .object(document.root)).write(
            to: valuesURL(provider), options: .atomic)
    }

    /// A lock of the system on a file, which ends with the process.
    final class Lock: Sendable {
        private let descriptor: Int32

        /// - Parameter waits: Whether to wait until it is free; otherwise there is no lock if it is not.
        /// - Throws: ``LaunchFileError`` if the file cannot be opened or locked.
        init?(_ url: URL, waits: Bool) throws {
            let path = url.path(percentEncoded: false)
            descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw LaunchFileError(operation: "open \(path)", number: errno) }
            while flock(descriptor, LOCK_EX | (waits ? 0 : LOCK_NB)) != 0 {
                let number = errno
                if number == EINTR { continue }
                close(descriptor)
                if number == EWOULDBLOCK { return nil }
                throw LaunchFileError(operation: "lock \(path)", number: number)
            }
        }

        /// To be called once.
        func release() { close(descriptor) }
    }
}

/// A call of the system that failed.
struct LaunchFileError: Error, CustomStringConvertible {
    /// As it reads after "could not".
    var operation: String
    /// The system's `errno`.
    var number: Int32

    var description: String {
        "could not \(operation): \(strerror(number).map { String(cString: $0) } ?? "error") (errno \(number))"
    }
}

/// Tells values apart.
enum Fingerprint {
    /// The 64-bit FNV-1a hash (G. Fowler, L. Noll, K.-P. Vo, 1991), in hexadecimal digits.
    static func of(_ bytes: [UInt8]) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        return String(hash, radix: 16)
    }

    /// Empty for a document without values. What JSON cannot hold is told apart by its text.
    static func of(_ document: FlagDocument) -> String {
        guard document != FlagDocument() else { return "" }
        let bytes = try? FlagJSONWriter(layout: .compact).bytes(of: .object(document.root))
        return of(bytes ?? Array("\(document.root.sorted { $0.key < $1.key })".utf8))
    }
}
