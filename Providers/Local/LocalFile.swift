import Synchronization
import TacklineCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A file with values, and what of it is in memory.
///
/// Lock order: ``state``, then the lock of the file, then the store's. ``failure`` is taken alone and briefly, so that
/// asking for the status waits for no write.
final class LocalFile: Sendable {
    let store = FlagProviderStore()
    let name: String
    /// As it was given; it may be a symbolic link.
    let path: String
    /// Whether the address was one of a file.
    private let isFile: Bool
    private let options: LocalProvider.Options

    /// What the file held when memory was last in accord with it.
    private struct Version {
        /// `nil` if there was no file.
        var bytes: [UInt8]?
        var document = FlagDocument()
        var format: LocalFileFormat
    }

    private let version: Mutex<Version>
    private let failure = Mutex<FlagProviderError?>(nil)

    init(name: String, url: URL, options: LocalProvider.Options) {
        self.name = name
        isFile = url.isFileURL
        path = url.isFileURL ? url.absoluteURL.path(percentEncoded: false) : url.absoluteString
        self.options = options
        version = Mutex(Version(format: LocalFileFormat(fileName: LocalPath.name(of: path))))
    }

    /// How the last reading went.
    var status: FlagProviderStatus {
        failure.withLock { $0 }.map { .failed($0) } ?? .ready
    }

    // MARK: Reading

    /// Reads the file and announces what differs from memory.
    ///
    /// - Throws: Why it could not be read. Memory is as before, and the status says the same.
    func reload() throws(FlagProviderError) {
        try version.withLock { version throws(FlagProviderError) in
            do throws(LocalFileFailure) {
                try load(into: &version)
            } catch {
                throw error.readingError(provider: name, path: path)
            }
        }
    }

    private func load(into version: inout Version) throws(LocalFileFailure) {
        do throws(LocalFileFailure) {
            guard isFile else { throw .notAFile }
            let bytes = try LocalFile.contents(of: path, limit: options.maximumBytes)
            let hasFailed = failure.withLock { $0 != nil }
            guard hasFailed || bytes != version.bytes else { return }
            var format = version.format
            let present = try bytes.map { bytes throws(LocalFileFailure) in
                try format.read(bytes, limit: options.maximumBytes)
            }
            let document = present ?? FlagDocument()
            store.replaceDocument(
                with: LocalDocumentMerge.merge(memory: store.document, former: version.document, present: document)
            )
            version = Version(bytes: bytes, document: document, format: format)
            failure.withLock { $0 = nil }
        } catch {
            failure.withLock { $0 = error.readingError(provider: name, path: path) }
            throw error
        }
    }

    /// Reads a file; `nil` if there is none.
    private static func contents(of path: String, limit: Int) throws(LocalFileFailure) -> [UInt8]? {
        let contents: [UInt8]?
        do throws(SystemCallError) {
            let file = try OpenFile(path, O_RDONLY)
            guard try file.attributes().isRegularFile else { throw .notRegularFile(path) }
            contents = try file.contents(limit: limit)
        } catch {
            if error.number == ENOENT { return nil }
            throw .system(error)
        }
        guard let contents else { throw .tooLarge(limit: limit) }
        return contents
    }

    // MARK: Writing

    /// Changes the values in the file and in memory, in one write.
    ///
    /// What other processes wrote is read and announced first.
    ///
    /// - Parameters:
    ///   - key: The flag that an error is about, if it is one.
    ///   - value: The value that an error is about, if it is one.
    ///   - change: Makes the new values; it may run more than once.
    /// - Returns: What differs now.
    /// - Throws: What went wrong. Nothing has changed then.
    @discardableResult
    func update(
        key: FlagKeyPath? = nil,
        value: EncodedFlagValue? = nil,
        _ change: (inout FlagDocument) -> Void
    ) throws(FlagProviderError) -> [FlagProviderChange] {
        try version.withLock { version throws(FlagProviderError) in
            do throws(LocalFileFailure) {
                return try update(&version, change)
            } catch {
                throw error.writingError(provider: name, path: path, key: key, value: value)
            }
        }
    }

    private func update(
        _ version: inout Version,
        _ change: (inout FlagDocument) -> Void
    ) throws(LocalFileFailure) -> [FlagProviderChange] {
        guard try isNeeded(change, &version) else { return [] }
        let target: String
        do { target = try LocalPath.target(of: path) } catch { throw .system(error) }
        var replacement = try LocalFileReplacement(of: target, timeLimit: options.lockTimeLimit)
        let mistake = try loadForWriting(into: &version)
        return try store.update(
            { document throws(LocalFileFailure) in change(&document) },
            persist: { document throws(LocalFileFailure) in
                let written = try LocalFile.version(of: document, in: version.format, limit: options.maximumBytes)
                if mistake || written.bytes != version.bytes {
                    try replacement.commit(
                        written.bytes ?? [],
                        movingOldTo: mistake ? LocalPath.freeDatedName(beside: target) : nil
                    )
                }
                version = written
                failure.withLock { $0 = nil }
            }
        )
    }

    /// Whether a change would make any difference to the file as it is now.
    private func isNeeded(
        _ change: (inout FlagDocument) -> Void,
        _ version: inout Version
    ) throws(LocalFileFailure) -> Bool {
        if try loadForWriting(into: &version) { return true }
        let old = store.document
        var new = old
        change(&new)
        return new != old
    }

    /// Reads the file as a writer does.
    ///
    /// - Returns: `true` if its content is unusable and shall be set aside.
    private func loadForWriting(into version: inout Version) throws(LocalFileFailure) -> Bool {
        do throws(LocalFileFailure) {
            try load(into: &version)
            return false
        } catch {
            guard error.isAboutContent, options.recovery == .setAside else { throw .unreadableFile(error) }
            return true
        }
    }

    /// What the file will hold.
    ///
    /// It is read again before it is written, so that no file is written that could not be read.
    private static func version(
        of document: FlagDocument,
        in format: LocalFileFormat,
        limit: Int
    ) throws(LocalFileFailure) -> Version {
        let bytes = try format.bytes(of: document)
        guard bytes.count <= limit else { throw .tooLarge(limit: limit) }
        var format = format
        do throws(LocalFileFailure) {
            return Version(bytes: bytes, document: try format.read(bytes, limit: limit), format: format)
        } catch {
            throw .unreadableResult(error)
        }
    }
}
