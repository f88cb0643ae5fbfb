package import Foundation
import TacklineCore
import TacklineFormats

// Foundation: `URL` names folders, and `FileManager` knows and makes them.

/// The cache for one URL, format of documents, and namespace, which several processes may share: a file with the values, and
/// a small one with what changes more often.
///
/// Each write replaces a file as a whole, so the last one wins and every reader finds a complete entry. Only this user may
/// read files and folder, and neither names nor contents tell the URL.
package struct RemoteJSONCache: Sendable {
    /// How much longer than its document a cache file may be.
    private static let headerAllowance = 64 << 10

    /// The folder in which the files are.
    package let folder: URL
    private let format: RemoteJSONCacheFormat
    private let file: CacheFile
    private let stateFile: CacheFile
    private let maximumBodyBytes: Int
    private let write: @Sendable (Int32, UnsafeRawBufferPointer) -> Int
    /// Whether the folder is this module's own, which others may not list even if an earlier version let them.
    private var ownsFolder = false

    package init(
        folder: URL,
        url: URL,
        namespace: String = "",
        documentFormat: String = FlagDocumentFormat.values.name,
        maximumBodyBytes: Int = 64 << 20,
        write: @escaping @Sendable (Int32, UnsafeRawBufferPointer) -> Int = { CacheFile.systemWrite($0, $1) }
    ) {
        self.folder = folder
        self.maximumBodyBytes = maximumBodyBytes
        self.write = write
        let key = Checksum("\(url.absoluteString)\n\(documentFormat)\n\(namespace)".utf8).text
        format = RemoteJSONCacheFormat(key: key)
        file = CacheFile(path: folder.appending(path: "\(key).tackline").path(percentEncoded: false))
        stateFile = CacheFile(path: folder.appending(path: "\(key).state.tackline").path(percentEncoded: false))
    }

    /// The cache that a configuration asks for, or `nil` for none.
    init?(_ configuration: RemoteJSONConfiguration, url: URL) {
        guard let folder = configuration.cacheFolder else { return nil }
        self.init(
            folder: folder,
            url: url,
            namespace: configuration.cacheNamespace,
            documentFormat: configuration.format.name,
            maximumBodyBytes: configuration.effectiveMaximumBodyBytes
        )
        ownsFolder = configuration.cache == .standard
    }

    /// A name for a file that tells nothing of what it is for.
    package static func fileName(for text: String) -> String { Checksum(text.utf8).text }

    /// The folder of this module in the user's caches folder.
    static var standardFolder: URL? {
        FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first?.appending(path: "tackline")
    }

    /// The path of the file with the values, and of the one beside it.
    package var path: String { file.path }
    package var statePath: String { stateFile.path }

    /// Reads the entry; `nil` if there is none, or anything about it is not right.
    package func load() -> RemoteJSONCacheEntry? {
        let entry = file.read(limit: maximumBodyBytes + Self.headerAllowance).flatMap(format.entry(from:))
        guard let state = stateFile.read(limit: Self.headerAllowance).flatMap(format.state(from:)) else { return entry }
        guard var entry else {
            guard state.notBefore != nil || state.highestVersion != nil else { return nil }
            var rest = RemoteJSONCacheEntry(body: nil, fetchedAt: state.validatedAt, validatedAt: state.validatedAt)
            rest.notBefore = state.notBefore
            rest.highestVersion = state.highestVersion
            return rest
        }
        entry.notBefore = state.notBefore
        entry.highestVersion = state.highestVersion
        // What was confirmed may have been another document than the one that is here now.
        if let body = entry.body, state.checksum == Checksum(body).value, state.validatedAt > entry.validatedAt {
            entry.validatedAt = state.validatedAt
        }
        return entry
    }

    /// Replaces the values, with everything about them but ``RemoteJSONCacheEntry/notBefore``.
    ///
    /// - Throws: What went wrong. The old entry is as it was then.
    package func save(_ entry: RemoteJSONCacheEntry) throws {
        try replace(file, with: format.bytes(of: entry))
    }

    /// Replaces what is kept beside the values.
    ///
    /// - Throws: What went wrong. The old state is as it was then.
    package func save(_ state: RemoteJSONCacheState) throws {
        try replace(stateFile, with: format.bytes(of: state))
    }

    private func replace(_ file: CacheFile, with bytes: Data) throws {
        let path = folder.path(percentEncoded: false)
        let isPrivate: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
        if ownsFolder, FileManager.default.fileExists(atPath: path) {
            try FileManager.default.setAttributes(isPrivate, ofItemAtPath: path)
        } else {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: isPrivate)
        }
        try file.replace(with: bytes, write: write)
    }

    /// Removes the oldest documents of a folder that is nobody else's, and what is kept beside them.
    func removeOldest(keeping count: Int) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false))) ?? []
        let files = names.filter { $0.hasSuffix(".tackline") && !$0.hasSuffix(".state.tackline") }
        let others = files.compactMap { name -> (path: String, time: Double)? in
            let path = folder.appending(path: name).path(percentEncoded: false)
            return path == self.path ? nil : CacheFile.modificationTime(of: path).map { (path, $0) }
        }
        for (path, _) in others.sorted(by: { $0.time > $1.time }).dropFirst(max(0, count - 1)) {
            CacheFile.remove(path)
            CacheFile.remove("\(path.dropLast("tackline".count))state.tackline")
        }
    }

    /// How long a file that is being written may lie there before it counts as left behind by a process that was
    /// killed.
    private static let abandonedAfter = 3600.0

    /// Removes what killed processes left behind in the folder, whatever URL it was for.
    ///
    /// Ages are measured against this cache's own file, so call it after ``save(_:)``: the clock of the folder may be
    /// another one than ours. Whoever is still at work on a file that was taken for abandoned fails to put it in place,
    /// and the old entry stays.
    package func removeAbandonedFiles() {
        guard let now = CacheFile.modificationTime(of: path) ?? CacheFile.modificationTime(of: statePath),
            let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false))
        else { return }
        for name in names where CacheFile.isTemporary(name) {
            let path = folder.appending(path: name).path(percentEncoded: false)
            guard let time = CacheFile.modificationTime(of: path), now - time > Self.abandonedAfter else { continue }
            CacheFile.remove(path)
        }
    }
}
