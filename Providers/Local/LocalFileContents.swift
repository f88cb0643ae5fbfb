#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import TacklineCore
import TacklineFiles

// Foundation: document readers take `Data`.

/// The document of a file as it was last read or written, without its bytes, which would take as much memory again.
struct LocalFileContents: Sendable {
    /// The values as they are read from the file. In a format without dates, dates are texts here. It is empty if the
    /// provider's format keeps the document in another form.
    var document = FlagDocument()
    /// A hash of the bytes, or `nil` if there is no file.
    private(set) var hash: Int?
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
    /// - Returns: The text of a JSON file, which is used to locate mistakes.
    mutating func read(
        _ bytes: [UInt8]?, as content: FlagDocumentFormat, limit: Int
    ) throws(LocalFileFailure) -> Data? {
        var read = self
        read.hash = bytes.map(Self.hash)
        read.document = FlagDocument()
        var json: Data?
        do {
            if let bytes, listFormat == nil {
                let data = Data(bytes)
                var limits = FlagJSONReader.Limits()
                limits.maximumBytes = limit
                read.document = try content.document(json: data, limits: limits)
                json = data
            } else if let bytes {
                let depth = content.maximumDepth ?? EncodedFlagValue.maximumDepth
                guard case .object(let members) = try FlagPropertyList.decode(bytes, maximumDepth: depth) else {
                    throw LocalFileFailure(.unreadable, "the outermost value is not a dictionary")
                }
                read.document = FlagDocument(members)
                read.listFormat = FlagPropertyList.format(of: bytes)
            }
        } catch {
            throw error as? LocalFileFailure ?? LocalFileFailure(.unreadable, "\(error)")
        }
        self = read
        return json
    }

    /// Replaces the document and returns the bytes of the new file. JSON and XML have one member on each line, sorted by key.
    ///
    /// They are read again, so that no unreadable file is ever written.
    mutating func write(_ document: FlagDocument, limit: Int) throws(LocalFileFailure) -> [UInt8] {
        let bytes: [UInt8]
        do throws(FlagValueError) {
            let value = EncodedFlagValue.object(document.root)
            bytes =
                if let listFormat {
                    try FlagPropertyList.encode(value, as: listFormat)
                } else {
                    try FlagJSONWriter(layout: .pretty).bytes(of: value)
                }
        } catch {
            throw LocalFileFailure(.unsupportedValue, "\(error)", "Use a value that the format of the file can hold")
        }
        guard bytes.count <= limit else { throw LocalFileFailure(.tooLarge(limit: limit)) }
        do throws(LocalFileFailure) {
            _ = try read(bytes, as: .values, limit: limit)
        } catch {
            throw LocalFileFailure(
                .unsupportedValue, "it could not be read again: \(error.cause)", "Use shorter keys and fewer levels")
        }
        // Without dates they are the same, and share their memory.
        if self.document == document { self.document = document }
        return bytes
    }

    /// Returns the document in memory after the file has changed to these contents.
    ///
    /// Memory keeps the original of a value, such as a date, while the file holds its stored form. Otherwise, a reading
    /// would report changes that didn't happen.
    func merged(memory: FlagDocument, former: FlagDocument) -> FlagDocument {
        FlagDocument(Self.merge(memory: memory.root, former: former.root, present: document.root))
    }

    private typealias Members = [String: EncodedFlagValue]

    /// Merges objects recursively. The depth limit of the readers bounds the recursion.
    private static func merge(memory: Members, former: Members, present: Members) -> Members {
        var merged = present
        for (name, value) in present {
            guard let kept = memory[name], let was = former[name], kept != value else { continue }
            if was == value {
                merged[name] = kept
            } else if case .object(let kept) = kept, case .object(let was) = was, case .object(let new) = value {
                merged[name] = .object(merge(memory: kept, former: was, present: new))
            }
        }
        return merged
    }
}
