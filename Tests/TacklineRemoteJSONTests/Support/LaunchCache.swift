import Foundation
import TacklineTestSupport

@testable import TacklineRemoteJSON

/// What an earlier run left on the disk for a provider.
enum LaunchCache: CaseIterable {
    case none, good, old, tooOld, ofAnotherURL, ofAnotherSubject, corrupt, truncated, ofANewerFormat

    /// Whether a provider may use it.
    var isUsable: Bool { self == .good || self == .old }

    /// How long ago the server confirmed it, in minutes.
    var minutes: Double {
        switch self {
        case .old: 180
        case .tooOld: 31 * 24 * 60
        default: 17
        }
    }

    /// Writes the cache, of the document `{"live": 7, "pinned": 7}`.
    ///
    /// - Parameters:
    ///   - date: The present time by the clock on the wall.
    ///   - subject: The user that the provider is made for.
    func write(to folder: URL, for url: URL, subject: String?, at date: Date) throws {
        guard self != .none else { return }
        let target = RemoteTarget(
            url: self == .ofAnotherURL ? url.appending(path: "other") : url,
            subject: self == .ofAnotherSubject ? "somebody else" : subject)
        let cache = RemoteCache(folder: folder, target: target)
        var entry = RemoteCacheEntry(body: Data(#"{"live": 7, "pinned": 7}"#.utf8), confirmedAt: date - minutes * 60)
        entry.conditions = ["If-None-Match": "\"7\""]
        try? FileManager.default.removeItem(atPath: cache.path)
        try cache.save(entry, at: date)
        let own = URL(filePath: RemoteCache(folder: folder, target: RemoteTarget(url: url, subject: subject)).path)
        switch self {
        // Under the provider's name, as if one hash stood for both.
        case .ofAnotherURL, .ofAnotherSubject: try Data(contentsOf: URL(filePath: cache.path)).write(to: own)
        case .corrupt:
            var bytes = try Data(contentsOf: own)
            bytes[bytes.count - 4] ^= 1
            try bytes.write(to: own)
        case .truncated: try Data(contentsOf: own).dropLast(5).write(to: own)
        case .ofANewerFormat:
            let content = String(decoding: try Data(contentsOf: own).dropFirst(17), as: UTF8.self)
                .replacing("\"owner\":\"5 ", with: "\"owner\":\"6 ")
            try Data("\(checksum(content.utf8)) \(content)".utf8).write(to: own)
        default: break
        }
    }
}
