package import Foundation
import TacklineCLibrary
import TacklineCore
package import TacklineFiles

// Foundation: `URL` names folders, and `FileManager` finds and makes them.

/// The cache for one URL, subject, document format and namespace. Several processes may share it. It consists of a file
/// with the values and a small file with the state that changes more often.
///
/// Each write replaces a file as a whole, so the last write counts and every reader finds a complete entry. Only the
/// current user may read the files and the folder. Neither names nor contents reveal the URL.
package struct RemoteJSONCache: Sendable {
    /// The number of bytes by which a cache file may be longer than its document.
    private static let headerAllowance = 64 << 10

    /// The folder of the files.
    package let folder: URL
    private let format: RemoteJSONCacheFormat
    private let file: StoredFile
    private let stateFile: StoredFile
    /// Whether the folder is this module's own. Its permissions are then set again at each write, since an earlier
    /// version let others list it.
    private var ownsFolder = false

    package init(
        folder: URL,
        url: URL,
        subject: String? = nil,
        namespace: String = "",
        documentFormat: String = FlagDocumentFormat.values.name,
        maximumBodyBytes: Int = 64 << 20,
        writing: @escaping OpenFile.Writing = OpenFile.systemWriting
    ) {
        self.folder = folder
        // The length keeps a namespace from standing for another namespace with a subject.
        let owner = subject.map { "\n\($0.utf8.count) \($0)" } ?? ""
        let key = Checksum("\(url.absoluteString)\n\(documentFormat)\n\(namespace)\(owner)".utf8).text
        format = RemoteJSONCacheFormat(key: key)
        let path = folder.appending(path: key).path(percentEncoded: false)
        // After a loss of power, the checksum shows whether a file is complete.
        var file = StoredFile(
            path + Self.nameEnding, maximumBytes: maximumBodyBytes + Self.headerAllowance, permissions: 0o600,
            durability: .none)
        file.writing = writing
        self.file = file
        file.path = path + Self.stateEnding
        file.maximumBytes = Self.headerAllowance
        stateFile = file
    }

    private static let nameEnding = ".tackline"
    private static let stateEnding = ".state.tackline"

    /// Makes the cache for a configuration, or `nil` if its cache is disabled.
    init?(_ configuration: RemoteJSONConfiguration, _ address: RemoteAddress) {
        guard let folder = configuration.cacheFolder else { return nil }
        self.init(
            folder: folder,
            url: address.url,
            subject: address.subject,
            namespace: configuration.cacheNamespace,
            documentFormat: configuration.format.name,
            maximumBodyBytes: configuration.effectiveMaximumBodyBytes
        )
        ownsFolder = configuration.cache == .standard
    }

    /// Returns a file name that doesn't reveal the text it is made from.
    package static func fileName(for text: String) -> String { Checksum(text.utf8).text }

    /// The folder of this module among the user's files that the system doesn't empty: the first launch after that would
    /// read defaults. On tvOS there are no such files, and elsewhere than on Apple's systems nothing empties the caches.
    static var standardFolder: URL? {
        #if canImport(Darwin) && !os(tvOS)
            let parent = FileManager.SearchPathDirectory.applicationSupportDirectory
        #else
            let parent = FileManager.SearchPathDirectory.cachesDirectory
        #endif
        return FileManager.default.urls(for: parent, in: .userDomainMask).first?.appending(path: "tackline")
    }

    /// The paths of the files with the values and the state.
    package var path: String { file.path }
    package var statePath: String { stateFile.path }

    /// Reads the entry. Returns `nil` if there is none or it is invalid.
    package func load() -> RemoteJSONCacheEntry? {
        let entry = (try? file.bytes()).flatMap { format.entry(from: Data($0)) }
        guard let state = (try? stateFile.bytes()).flatMap({ format.state(from: Data($0)) }) else { return entry }
        guard var entry else {
            guard state.notBefore != nil || state.versions != SignedVersions() else { return nil }
            var rest = RemoteJSONCacheEntry(body: nil, fetchedAt: state.validatedAt, validatedAt: state.validatedAt)
            rest.notBefore = state.notBefore
            rest.versions = state.versions
            return rest
        }
        entry.notBefore = state.notBefore
        entry.versions = state.versions
        // What was confirmed may have been another document than the one that is here now.
        if let body = entry.body, state.checksum == Checksum(body).value, state.validatedAt > entry.validatedAt {
            entry.validatedAt = state.validatedAt
        }
        return entry
    }

    /// Replaces the values, with everything but ``RemoteJSONCacheEntry/notBefore`` and
    /// ``RemoteJSONCacheEntry/highestVersion``.
    ///
    /// - Throws: The error of the operating system. The old entry then stays as it was.
    package func save(_ entry: RemoteJSONCacheEntry) throws {
        try makeFolder()
        try file.replace(with: [UInt8](format.bytes(of: entry)))
    }

    /// Replaces the state. Versions of signed documents that another process has accepted meanwhile are kept.
    ///
    /// - Throws: The error of the operating system. The old state then stays as it was.
    package func save(_ state: RemoteJSONCacheState) throws {
        try makeFolder()
        try stateFile.rewrite { old in
            var state = state
            if state.versions != SignedVersions(), let old, let known = format.state(from: Data(old)) {
                state.versions.merge(known.versions)
            }
            return try [UInt8](format.bytes(of: state))
        }
    }

    /// Removes the values. The state stays, because it rejects old versions of signed documents.
    func removeValues() { unlink(path) }

    private func makeFolder() throws {
        let path = folder.path(percentEncoded: false)
        let isPrivate: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
        if ownsFolder, FileManager.default.fileExists(atPath: path) {
            try FileManager.default.setAttributes(isPrivate, ofItemAtPath: path)
        } else {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: isPrivate)
            #if canImport(Darwin)
                // A backup need not hold what the server has.
                if ownsFolder {
                    var values = URLResourceValues()
                    values.isExcludedFromBackup = true
                    var folder = folder
                    try? folder.setResourceValues(values)
                }
            #endif
        }
    }

    /// Removes documents and their states from a folder that only this cache uses, so that `count` remain. Those go first
    /// that the server sent or confirmed longest ago: a confirmation writes the state alone.
    func removeOldest(keeping count: Int) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false))) ?? []
        let files = names.filter { $0.hasSuffix(Self.nameEnding) && !$0.hasSuffix(Self.stateEnding) }
        let others = files.compactMap { name -> (path: String, time: Double)? in
            let path = folder.appending(path: name).path(percentEncoded: false)
            let state = path.dropLast(Self.nameEnding.count) + Self.stateEnding
            let times = [path, String(state)].compactMap { StoredFile.modificationTime(of: $0) }
            return path == self.path ? nil : times.max().map { (path, $0) }
        }
        for (path, _) in others.sorted(by: { $0.time > $1.time }).dropFirst(max(0, count - 1)) {
            unlink(path)
            unlink(path.dropLast(Self.nameEnding.count) + Self.stateEnding)
        }
    }

    /// Removes what killed processes left in the folder, for any URL. A file that another process writes stays.
    package func removeAbandonedFiles() {
        let ending = ".writing"
        let folder = folder.path(percentEncoded: false)
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
            guard name.hasPrefix("."), name.hasSuffix(Self.nameEnding + ending) else { continue }
            let path = "\(folder)/\(name)"
            // One that is being written is locked, and stays.
            if let file = try? OpenFile(path, O_RDWR | O_NOFOLLOW), (try? file.tryLock()) == true { unlink(path) }
        }
    }
}
