#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import TacklineCore

// Foundation: `Data` and `Date` are what is kept.

/// The form of a cache file: one line, then the document as it came.
///
/// ```
/// 0123456789abcdef {"etag":"…","format":"values","length":1234,"url":"…","version":1, …}
/// {"sson": true}
/// ```
///
/// The line begins with a checksum of everything behind the first blank. Whatever is not exactly as it was written is no
/// entry.
struct RemoteJSONCacheFormat {
    static let version = 1

    /// What the file is for; an entry for anything else is none.
    let url: String
    var documentFormat = FlagDocumentFormat.values.name
    let namespace: String

    func bytes(of entry: RemoteJSONCacheEntry) throws -> Data {
        var header: [String: EncodedFlagValue] = [
            "version": .integer(Int128(Self.version)),
            "url": .string(url),
            "format": .string(documentFormat),
            "namespace": .string(namespace),
            "fetchedAt": .date(entry.fetchedAt),
            "validatedAt": .date(entry.validatedAt),
        ]
        header["etag"] = entry.entityTag.map { .string($0) }
        header["lastModified"] = entry.lastModified.map { .string($0) }
        header["signature"] = entry.signature.map { .string($0) }
        header["notBefore"] = entry.notBefore.map { .date($0) }
        header["length"] = entry.body.map { .integer(Int128($0.count)) }
        var content = try FlagJSONWriter(layout: .compact).data(of: .object(header))
        content.append(UInt8(ascii: "\n"))
        if let body = entry.body { content.append(body) }
        return Data("\(Checksum(content).text) ".utf8) + content
    }

    /// Returns the entry, or `nil` if the bytes are not exactly one for this URL.
    func entry(from bytes: Data) -> RemoteJSONCacheEntry? {
        let checksumLength = 16
        guard bytes.count > checksumLength + 1 else { return nil }
        let content = bytes.dropFirst(checksumLength + 1)
        guard bytes.prefix(checksumLength + 1).elementsEqual("\(Checksum(content).text) ".utf8),
            let end = content.firstIndex(of: UInt8(ascii: "\n")),
            case .object(let header)? = try? FlagJSONReader().read(Data(content[..<end])),
            header["version"] == .integer(Int128(Self.version)), header["url"] == .string(url),
            header["format"] == .string(documentFormat), header["namespace"] == .string(namespace),
            let fetchedAt = header["fetchedAt"].flatMap({ try? Date(encoded: $0) }),
            let validatedAt = header["validatedAt"].flatMap({ try? Date(encoded: $0) })
        else { return nil }
        let body = Data(content[content.index(after: end)...])
        guard header["length"] == nil ? body.isEmpty : header["length"] == .integer(Int128(body.count)) else {
            return nil
        }
        var entry = RemoteJSONCacheEntry(
            body: header["length"] == nil ? nil : body,
            fetchedAt: fetchedAt,
            validatedAt: validatedAt
        )
        entry.entityTag = header["etag"].flatMap { try? String(encoded: $0) }
        entry.lastModified = header["lastModified"].flatMap { try? String(encoded: $0) }
        entry.signature = header["signature"].flatMap { try? String(encoded: $0) }
        entry.notBefore = header["notBefore"].flatMap { try? Date(encoded: $0) }
        return entry
    }
}
