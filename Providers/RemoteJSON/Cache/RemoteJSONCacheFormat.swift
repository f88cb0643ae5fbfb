package import Foundation
import TacklineCore

// Foundation: `Data` and `Date` are kept in the cache.

/// The cached data of one document.
package struct RemoteJSONCacheEntry: Sendable, Hashable {
    /// The bytes as the server sent them; `nil` if there are only ``notBefore`` and ``versions`` to remember.
    package var body: Data?
    package var entityTag: String?
    package var lastModified: String?
    /// The signature for the ``PayloadVerifier``.
    package var signature: String?
    /// The time at which the body arrived, and the time of the server's last confirmation.
    package var fetchedAt: Date
    package var validatedAt: Date
    /// The server asked for no requests before this time.
    package var notBefore: Date?
    /// The versions of the signed documents that were ever accepted.
    package var versions = SignedVersions()

    package init(body: Data?, fetchedAt: Date, validatedAt: Date) {
        self.body = body
        self.fetchedAt = fetchedAt
        self.validatedAt = validatedAt
    }
}

/// The state that changes more often than a document. It has a file of its own, so that a confirmation does not rewrite
/// the values.
package struct RemoteJSONCacheState: Sendable, Hashable {
    /// The checksum of the confirmed body; `nil` for none.
    package var checksum: UInt64?
    package var validatedAt: Date
    package var notBefore: Date?
    /// The versions of the signed documents that were ever accepted; none where documents are not signed.
    package var versions = SignedVersions()

    package init(checksum: UInt64?, validatedAt: Date, notBefore: Date?) {
        self.checksum = checksum
        self.validatedAt = validatedAt
        self.notBefore = notBefore
    }
}

/// The format of a cache file: one line, followed by the document in the file of the values.
///
/// ```
/// 0123456789abcdef {"etag":"…","fetchedAt":"…","key":"…","length":1234,"version":2, …}
/// {"sson": true}
/// ```
///
/// The line begins with a checksum of everything after the first space. A file that was changed in any way is invalid.
/// The key is a hash of URL, subject, document format and namespace, which may contain secrets and are not written.
struct RemoteJSONCacheFormat {
    static let version = 2

    /// The key of the file. An entry with another key is invalid.
    let key: String

    // MARK: Values

    func bytes(of entry: RemoteJSONCacheEntry) throws -> Data {
        var header: [String: EncodedFlagValue] = [
            "fetchedAt": .date(entry.fetchedAt), "validatedAt": .date(entry.validatedAt),
        ]
        header["etag"] = entry.entityTag.map { .string($0) }
        header["lastModified"] = entry.lastModified.map { .string($0) }
        header["signature"] = entry.signature.map { .string($0) }
        let body = entry.body ?? Data()
        header["length"] = .integer(Int128(body.count))
        return try file(header, body)
    }

    /// Returns the entry, or `nil` if the bytes are not exactly an entry for this key.
    func entry(from bytes: Data) -> RemoteJSONCacheEntry? {
        guard let (header, body) = parts(of: bytes), header["length"] == .integer(Int128(body.count)),
            let fetchedAt = header["fetchedAt"].flatMap({ try? Date(encoded: $0) }),
            let validatedAt = header["validatedAt"].flatMap({ try? Date(encoded: $0) })
        else { return nil }
        var entry = RemoteJSONCacheEntry(body: body, fetchedAt: fetchedAt, validatedAt: validatedAt)
        entry.entityTag = header["etag"].flatMap { try? String(encoded: $0) }
        entry.lastModified = header["lastModified"].flatMap { try? String(encoded: $0) }
        entry.signature = header["signature"].flatMap { try? String(encoded: $0) }
        return entry
    }

    // MARK: State

    func bytes(of state: RemoteJSONCacheState) throws -> Data {
        var header: [String: EncodedFlagValue] = ["validatedAt": .date(state.validatedAt)]
        header["checksum"] = state.checksum.map { .integer(Int128($0)) }
        header["notBefore"] = state.notBefore.map { .date($0) }
        if state.versions != SignedVersions() {
            header["versions"] = .object(state.versions.byKey.mapValues { .integer($0) })
        }
        return try file(header, Data())
    }

    /// Returns the state, or `nil` if the bytes are not exactly a state for this key.
    func state(from bytes: Data) -> RemoteJSONCacheState? {
        guard let (header, body) = parts(of: bytes), body.isEmpty, header["length"] == nil,
            let validatedAt = header["validatedAt"].flatMap({ try? Date(encoded: $0) })
        else { return nil }
        var state = RemoteJSONCacheState(
            checksum: header["checksum"].flatMap { try? UInt64(encoded: $0) }, validatedAt: validatedAt,
            notBefore: header["notBefore"].flatMap { try? Date(encoded: $0) })
        if case .object(let versions)? = header["versions"] {
            state.versions = SignedVersions(
                versions.compactMapValues { if case .integer(let version) = $0 { version } else { nil } })
        }
        return state
    }

    // MARK: Both

    private func file(_ header: [String: EncodedFlagValue], _ body: Data) throws -> Data {
        let own: [String: EncodedFlagValue] = ["version": .integer(Int128(Self.version)), "key": .string(key)]
        let line = header.merging(own) { $1 }
        var content = try FlagJSONWriter(layout: .compact).data(of: .object(line))
        content.append(UInt8(ascii: "\n"))
        content.append(body)
        return Data("\(Checksum(content).text) ".utf8) + content
    }

    private func parts(of bytes: Data) -> (header: [String: EncodedFlagValue], body: Data)? {
        let checksumLength = 16
        guard bytes.count > checksumLength + 1 else { return nil }
        let content = bytes.dropFirst(checksumLength + 1)
        guard bytes.prefix(checksumLength + 1).elementsEqual("\(Checksum(content).text) ".utf8),
            let end = content.firstIndex(of: UInt8(ascii: "\n")),
            case .object(let header)? = try? FlagJSONReader().read(Data(content[..<end])),
            header["version"] == .integer(Int128(Self.version)), header["key"] == .string(key)
        else { return nil }
        return (header, Data(content[content.index(after: end)...]))
    }
}
