#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import TacklineCore
import TacklineFiles

// Foundation: document readers take `Data`.

/// The format of a file.
enum LocalFileFormat: Sendable, Hashable {
    case json, xmlPropertyList, binaryPropertyList

    /// Creates the format for a new file with the given name: JSON, unless the extension is that of a property list.
    init(fileName: String) {
        switch fileName.split(separator: ".").last?.lowercased() {
        case "plist", "xml": self = .xmlPropertyList
        case "bplist": self = .binaryPropertyList
        default: self = .json
        }
    }

    /// Reads a file. A property list is accepted in its XML and its binary form, and keeps its form when it is written.
    ///
    /// - Parameter content: The format of the document, which limits its depth.
    mutating func read(
        _ bytes: [UInt8], as content: FlagDocumentFormat, limit: Int
    ) throws(LocalFileFailure) -> FlagDocument {
        switch self {
        case .json:
            var limits = FlagJSONReader.Limits()
            limits.maximumBytes = limit
            do {
                return try content.document(json: Data(bytes), limits: limits)
            } catch {
                throw .syntax("\(error)")
            }
        case .xmlPropertyList, .binaryPropertyList:
            let value: EncodedFlagValue
            do {
                let depth = content.maximumDepth ?? EncodedFlagValue.maximumDepth
                value = try FlagPropertyList.decode(bytes, maximumDepth: depth)
            } catch {
                throw .syntax("\(error)")
            }
            self = FlagPropertyList.format(of: bytes) == .binary ? .binaryPropertyList : .xmlPropertyList
            return try LocalFileFormat.document(value)
        }
    }

    /// Returns the bytes of a file. JSON and XML have one member on each line, sorted by key.
    func bytes(of document: FlagDocument) throws(LocalFileFailure) -> [UInt8] {
        do throws(FlagValueError) {
            return switch self {
            case .json: try FlagJSONWriter(layout: .pretty).bytes(of: .object(document.root))
            case .xmlPropertyList: try FlagPropertyList.encode(.object(document.root), as: .xml)
            case .binaryPropertyList: try FlagPropertyList.encode(.object(document.root), as: .binary)
            }
        } catch {
            throw .value(error)
        }
    }

    private static func document(_ value: EncodedFlagValue) throws(LocalFileFailure) -> FlagDocument {
        guard case .object(let members) = value else { throw .syntax("the outermost value is not a dictionary") }
        return FlagDocument(members)
    }
}
