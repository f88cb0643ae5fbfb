#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import TacklineCore
import TacklineFiles

// Foundation: document readers take `Data`.

/// The contents of a file when it was last read or written: their hash and form. The values are in memory once.
struct LocalFileContents: Sendable {
    static let maximumBytes = 16 << 20

    /// A hash of the bytes, or `nil` if there is no file.
    private var hash: Int?
    /// The format of a property list, which is kept when it is written, or `nil` for JSON.
    private var listFormat: FlagPropertyList.Format?

    /// Creates the contents of a missing file: JSON, unless the extension is that of a property list.
    init(path: String) {
        switch path.split(separator: ".").last?.lowercased() {
        case "plist", "xml": listFormat = .xml
        case "bplist": listFormat = .binary
        default: break
        }
    }

    /// Returns whether the file has other bytes now.
    func differs(from bytes: [UInt8]?) -> Bool { hash != bytes.map(Self.hash) }

    private static func hash(of bytes: [UInt8]) -> Int {
        var hasher = Hasher()
        bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
        return hasher.finalize()
    }

    /// Reads the bytes of a file, which are `nil` if there is none.
    ///
    /// - Parameters:
    ///   - bytes: A property list in either form, if the name of the file is that of one; otherwise JSON.
    ///   - content: The format of the document, which limits its depth.
    /// - Returns: The document, and the text of a JSON file, which is used to locate mistakes.
    mutating func read(
        _ bytes: [UInt8]?, as content: FlagDocumentFormat
    ) throws -> (document: FlagDocument, json: Data?) {
        var (document, json) = (FlagDocument(), Data?.none)
        if let bytes, listFormat == nil {
            let data = Data(bytes)
            document = try content.document(json: data, limits: FlagJSONReader.Limits())
            json = data
        } else if let bytes {
            let depth = content.maximumDepth ?? EncodedFlagValue.maximumDepth
            guard case .object(let members) = try FlagPropertyList.decode(bytes, maximumDepth: depth) else {
                throw LocalFileFailure(.unreadable, "the outermost value is not a dictionary")
            }
            document = FlagDocument(members)
            listFormat = FlagPropertyList.format(of: bytes)
        }
        hash = bytes.map(Self.hash)
        return (document, json)
    }

    /// Returns the bytes of a new file. JSON and XML have one member on each line, sorted by key.
    ///
    /// They are read again, so that no unreadable file is ever written.
    mutating func write(_ document: FlagDocument) throws -> [UInt8] {
        do {
            let value = EncodedFlagValue.object(document.root)
            let bytes =
                if let listFormat {
                    try FlagPropertyList.encode(value, as: listFormat)
                } else {
                    try FlagJSONWriter(layout: .pretty).bytes(of: value)
                }
            guard bytes.count <= Self.maximumBytes else { throw FileFailure.tooLarge(limit: Self.maximumBytes) }
            _ = try read(bytes, as: .values)
            return bytes
        } catch let error as FileFailure {
            throw error
        } catch {
            throw LocalFileFailure(
                .unsupportedValue, "\(error)",
                "Use a value that the format of the file can hold, a shorter key, or fewer levels")
        }
    }
}
