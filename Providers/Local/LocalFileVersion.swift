import TacklineCore
import TacklineFormats

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

// Foundation: `Data` is what readers of documents take.

/// What a file holds.
struct LocalFileVersion: Sendable {
    /// `nil` if there is no file.
    let bytes: [UInt8]?
    /// The values as they are read from the file: a format without dates has texts here.
    let document: FlagDocument
    /// The format that the file has, or would have.
    let format: LocalFileFormat

    /// The text of a file in JSON, for telling where in it something is wrong.
    var json: Data? { format == .json ? bytes.map { Data($0) } : nil }

    /// No file.
    init(format: LocalFileFormat) {
        bytes = nil
        document = FlagDocument()
        self.format = format
    }

    /// The file that bytes make, or none.
    init(
        of bytes: [UInt8]?, format: LocalFileFormat, as content: FlagDocumentFormat = .values, limit: Int
    ) throws(LocalFileFailure) {
        var format = format
        document =
            try bytes.map { bytes throws(LocalFileFailure) in
                try format.read(bytes, as: content, limit: limit)
            } ?? FlagDocument()
        self.bytes = bytes
        self.format = format
    }

    /// The file that values make.
    ///
    /// It is read again before anybody writes it, so that no file is written that could not be read.
    init(of document: FlagDocument, format: LocalFileFormat, limit: Int) throws(LocalFileFailure) {
        let bytes = try format.bytes(of: document)
        guard bytes.count <= limit else { throw .tooLarge(limit: limit) }
        do throws(LocalFileFailure) {
            self = try LocalFileVersion(of: bytes, format: format, limit: limit)
        } catch {
            throw .unreadableResult(error)
        }
    }

    /// Reads the bytes of a file; `nil` if there is none.
    static func bytes(of path: String, limit: Int) throws(LocalFileFailure) -> [UInt8]? {
        let contents: [UInt8]?
        let kind: String?
        do throws(SystemCallError) {
            let file = try OpenFile(path, O_RDONLY)
            kind = try file.attributes().irregularKind
            contents = kind == nil ? try file.contents(limit: limit) : nil
        } catch {
            if error.number == ENOENT { return nil }
            throw .system(error)
        }
        if let kind { throw .notRegular(kind) }
        guard let contents else { throw .tooLarge(limit: limit) }
        return contents
    }
}
