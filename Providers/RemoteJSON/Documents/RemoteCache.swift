package import Foundation
import TacklineCLibrary
import TacklineCore
import TacklineFiles

/// The content of a cache file.
package struct RemoteCacheEntry: Sendable, Hashable, Codable {
    /// The bytes of the document; `nil` if there is none, but something else to remember.
    package var body: Data?
    /// The header fields of a conditional request for it.
    package var conditions: [String: String] = [:]
    /// The signature for ``RemoteJSONProvider/Configuration/verify``.
    package var signature: String?
    /// A hash of the body of the request that the document answers.
    package var request: String?
    /// The time of the server's last confirmation.
    package var confirmedAt: Date
    /// The server asked for no requests before this time.
    package var notBefore: Date?
    /// The `$version` of the document, and the identifiers of the keys that have signed it. It belongs to the first one.
    package var version: Int128? {
        get { versionText.flatMap { Int128($0) } }
        set { versionText = newValue.map { "\($0)" } }
    }
    package var signers: [String] = []
    private var versionText: String?
    /// The format and the key of the cache to which it belongs, while it is written and read.
    fileprivate var owner: String?

    private enum CodingKeys: CodingKey {
        case conditions, signature, request, confirmedAt, notBefore, signers, versionText, owner
    }

    package init(body: Data?, confirmedAt: Date) { (self.body, self.confirmedAt) = (body, confirmedAt) }

    /// Returns whether this entry may replace an older one, which another process may have written: its version isn't
    /// lower, or without versions it was confirmed later. The version of another key, or of none, doesn't count for a key.
    ///
    /// - Parameter now: The time by the wall clock. An entry from the future was written by a wrong clock.
    fileprivate func isAsNew(as old: RemoteCacheEntry, at now: Date) -> Bool {
        if !signers.isEmpty, old.signers.first.map(signers.contains) != true { return true }
        guard let oldVersion = old.version else {
            return version != nil || old.body == nil || confirmedAt >= old.confirmedAt || old.confirmedAt > now
        }
        return version.map { $0 >= oldVersion } ?? false
    }

    /// Returns whether an entry differs only by a confirmation within an hour.
    fileprivate func isNearly(_ other: RemoteCacheEntry) -> Bool {
        var same = self
        same.confirmedAt = other.confirmedAt
        return same == other && (0..<3600).contains(confirmedAt.timeIntervalSince(other.confirmedAt))
    }
}

/// The cache for one URL, subject and document format: one file, which several processes may share.
///
/// Each write replaces the file as a whole, if it holds nothing newer, so every reader finds a complete entry. Only the
/// current user may read the file and its folder. Neither name nor contents reveal the URL or the subject.
///
/// ```
/// 0123456789abcdef {"confirmedAt":…,"conditions":{…}, …,"owner":"5 …"}
/// {"sson": true}
/// ```
///
/// The line begins with a checksum of everything after the first space, so a file that was changed in any way is invalid.
package struct RemoteCache: Sendable {
    private static let format = 5
    /// The number of files in a folder of the provider's own, in which several providers may have theirs.
    private static let maximumFiles = 32

    private let folder: URL
    private let key: String
    private let file: StoredFile
    private let ownsFolder: Bool

    package init(
        folder: URL, target: RemoteTarget, format: String = FlagDocumentFormat.values.name, ownsFolder: Bool = false
    ) {
        (self.folder, self.ownsFolder) = (folder, ownsFolder)
        let owner = target.subject.map { "\n\($0.utf8.count) \($0)" } ?? ""
        key = checksum("\(target.url.absoluteString)\n\(format)\(owner)".utf8)
        // The checksum shows what a loss of power left incomplete. An earlier configuration may have allowed up to 64 MiB.
        file = StoredFile(
            folder.appending(path: "\(key).tackline").path(percentEncoded: false),
            maximumBytes: 64 << 20 + 64 << 10, permissions: 0o600, isFlushed: false)
    }

    /// Creates the cache for a configuration; `nil` if there is none.
    init?(_ configuration: RemoteJSONProvider.Configuration, _ target: RemoteTarget) {
        guard let folder = configuration.cacheFolder else { return nil }
        self.init(
            folder: folder, target: target, format: configuration.format.name,
            ownsFolder: configuration.cache == .standard)
    }

    package var path: String { file.path }

    /// Reads the entry. Returns `nil` if there is none or it is invalid.
    package func load() -> RemoteCacheEntry? { (try? file.bytes()).flatMap { entry(from: Data($0)) } }

    /// Replaces the entry, unless there is a newer one, or one that was confirmed within an hour before.
    ///
    /// - Parameters:
    ///   - entry: The new entry; `nil` to change only `notBefore`.
    ///   - notBefore: The end of the time in which the server wants no requests, which is kept in any case.
    /// - Throws: The error of the operating system. The old entry then stays as it was.
    package func save(_ entry: RemoteCacheEntry?, notBefore: Date? = nil, at now: Date) throws {
        try makeFolder()
        try file.rewrite { bytes in
            let old = bytes.flatMap { self.entry(from: Data($0)) }
            var new = entry ?? old ?? RemoteCacheEntry(body: nil, confirmedAt: now)
            if let old, !new.isAsNew(as: old, at: now) { new = old }
            if let notBefore { new.notBefore = notBefore }
            return old.map(new.isNearly) ?? false ? nil : try [UInt8](self.bytes(of: new))
        }
        if ownsFolder { try removeOldest() }
    }

    /// Removes the files that were not written for the longest time, since each user has one.
    private func removeOldest() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false))
        let files = names.filter { $0.hasSuffix(".tackline") && $0 != "\(key).tackline" }.map { name in
            let path = folder.appending(path: name).path(percentEncoded: false)
            return (path: path, time: StoredFile.modificationTime(of: path) ?? 0)
        }
        for file in files.sorted(by: { $0.time > $1.time }).dropFirst(Self.maximumFiles - 1) { unlink(file.path) }
    }

    private func makeFolder() throws {
        guard !FileManager.default.fileExists(atPath: folder.path(percentEncoded: false)) else { return }
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    /// Removes the document. Its version stays, so that no older one counts later, and so does the wait of the server.
    package func forget() throws {
        let old = load()
        unlink(path)
        guard var rest = old else { return }
        (rest.body, rest.conditions, rest.signature, rest.request) = (nil, [:], nil, nil)
        // Another process may have written meanwhile.
        try file.rewrite { try $0 == nil ? [UInt8](bytes(of: rest)) : nil }
    }

    // MARK: The format

    package func bytes(of entry: RemoteCacheEntry) throws -> Data {
        var entry = entry
        entry.owner = owner
        let content = try JSONEncoder().encode(entry) + "\n".utf8 + (entry.body ?? Data())
        return Data("\(checksum(content)) ".utf8) + content
    }

    private var owner: String { "\(Self.format) \(key)" }

    /// Returns the entry, or `nil` if the bytes are not exactly an entry for this key.
    package func entry(from bytes: Data) -> RemoteCacheEntry? {
        let content = bytes.dropFirst(17)
        guard bytes.prefix(17).elementsEqual("\(checksum(content)) ".utf8),
            let end = content.firstIndex(of: UInt8(ascii: "\n")),
            var entry = try? JSONDecoder().decode(RemoteCacheEntry.self, from: content[..<end]), entry.owner == owner
        else { return nil }
        entry.owner = nil
        // A date that is centuries away is no time that a clock had, and no `Duration` might hold the time until then.
        let dates = [entry.confirmedAt, entry.notBefore ?? .distantPast]
        guard dates.allSatisfy({ (Date.distantPast...Date.distantFuture).contains($0) }) else { return nil }
        let body = Data(content[content.index(after: end)...])
        entry.body = body.isEmpty ? nil : body
        return entry
    }
}

extension RemoteJSONProvider.Configuration {
    /// The folder of the cache; `nil` if the cache is disabled.
    package var cacheFolder: URL? {
        switch cache {
        case .disabled: return nil
        case .directory(let directory): return directory
        case .standard:
            // Files that the system doesn't empty: the first launch after that would read defaults. On tvOS there are
            // none, and elsewhere than on Apple's systems nothing empties the caches.
            #if canImport(Darwin) && !os(tvOS)
                let parent = FileManager.SearchPathDirectory.applicationSupportDirectory
            #else
                let parent = FileManager.SearchPathDirectory.cachesDirectory
            #endif
            return FileManager.default.urls(for: parent, in: .userDomainMask).first?.appending(path: "tackline")
        }
    }
}
