package import Foundation
import TacklineCore

// Foundation: `URL` names folders, and `FileManager` knows and makes them.

/// The cache file for one URL, format of documents, and namespace, which several processes may share.
///
/// Each write replaces the file as a whole, so the last one wins and every reader finds a complete entry.
package struct RemoteJSONCache: Sendable {
    /// How much longer than its document a cache file may be.
    private static let headerAllowance = 64 << 10

    /// The folder in which the file is.
    package let folder: URL
    private let format: RemoteJSONCacheFormat
    private let file: CacheFile
    private let maximumBodyBytes: Int
    private let write: @Sendable (Int32, UnsafeRawBufferPointer) -> Int

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
        format = RemoteJSONCacheFormat(
            url: url.absoluteString, documentFormat: documentFormat, namespace: namespace)
        let name = Checksum("\(url.absoluteString)\n\(documentFormat)\n\(namespace)".utf8).text
        file = CacheFile(path: folder.appending(path: "\(name).tackline").path(percentEncoded: false))
    }

    /// The cache that a configuration asks for, or `nil` for none.
    init?(_ configuration: RemoteJSONConfiguration, url: URL) {
        let folder: URL
        switch configuration.cache {
        case .disabled: return nil
        case .directory(let directory): folder = directory
        case .standard:
            let folders = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask)
            guard let caches = folders.first else { return nil }
            folder = caches.appending(path: "tackline")
        }
        self.init(
            folder: folder,
            url: url,
            namespace: configuration.cacheNamespace,
            documentFormat: configuration.format.name,
            maximumBodyBytes: configuration.effectiveMaximumBodyBytes
        )
    }

    /// The path of the file.
    package var path: String { file.path }

    /// Reads the entry; `nil` if there is none, or anything about it is not right.
    package func load() -> RemoteJSONCacheEntry? {
        file.read(limit: maximumBodyBytes + Self.headerAllowance).flatMap(format.entry(from:))
    }

    /// Replaces the entry.
    ///
    /// - Throws: What went wrong. The old entry is as it was then.
    package func save(_ entry: RemoteJSONCacheEntry) throws {
        let bytes = try format.bytes(of: entry)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try file.replace(with: bytes, write: write)
    }

    /// How long a file that is being written may lie there before it counts as left behind by a process that was killed.
    private static let abandonedAfter = 3600.0

    /// Removes what killed processes left behind in the folder, whatever URL it was for.
    ///
    /// Ages are measured against this cache's own file, so call it after ``save(_:)``: the clock of the folder may be
    /// another one than ours. Whoever is still at work on a file that was taken for abandoned fails to put it in place,
    /// and the old entry stays.
    package func removeAbandonedFiles() {
        guard let now = CacheFile.modificationTime(of: path),
            let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false))
        else { return }
        for name in names where CacheFile.isTemporary(name) {
            let path = folder.appending(path: name).path(percentEncoded: false)
            guard let time = CacheFile.modificationTime(of: path), now - time > Self.abandonedAfter else { continue }
            CacheFile.remove(path)
        }
    }
}
