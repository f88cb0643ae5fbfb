import TacklineCore
import TacklineFiles

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
// Foundation: document readers take `Data`.

/// The contents of a file at one moment.
struct LocalFileVersion: Sendable {
    /// The bytes, or `nil` if there is no file.
    let bytes: [UInt8]?
    /// The values as they are read from the file. In a format without dates, dates are texts here.
    let document: FlagDocument
    /// The format of the file, or of the file to be created.
    let format: LocalFileFormat

    /// The text of a JSON file, which is used to locate mistakes; `nil` for other formats.
    var json: Data? { format == .json ? bytes.map { Data($0) } : nil }

    /// Creates the version of a missing file.
    init(format: LocalFileFormat) {
        bytes = nil
        document = FlagDocument()
        self.format = format
    }

    /// Creates the version of a file with the given bytes, or of a missing file.
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

    /// Creates the version of a file with the given values.
    ///
    /// The result is read again before it is written, so that no unreadable file is ever written.
    init(of document: FlagDocument, format: LocalFileFormat, limit: Int) throws(LocalFileFailure) {
        let bytes = try format.bytes(of: document)
        guard bytes.count <= limit else { throw .file(.tooLarge(limit: limit)) }
        do throws(LocalFileFailure) {
            self = try LocalFileVersion(of: bytes, format: format, limit: limit)
        } catch {
            throw .unreadableResult(error)
        }
    }
}
