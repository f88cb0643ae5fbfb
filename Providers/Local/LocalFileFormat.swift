#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import TacklineCore
import TacklineFormats

// Foundation: `Data` is what readers of documents take.

/// The format of a file.
enum LocalFileFormat: Sendable, Hashable {
    case json, xmlPropertyList, binaryPropertyList

    /// The format of a new file with the given name; JSON unless the extension is one of a property list.
    init(fileName: String) {
        switch fileName.split(separator: ".").last?.lowercased() {
        case "plist", "xml": self = .xmlPropertyList
        case "bplist": self = .binaryPropertyList
        default: self = .json
        }
    }

    /// Reads a file. A property list is accepted in either form and keeps it when it is written.
    ///
    /// - Parameter content: What the document means, which says how deep it may be.
    mutating func read(
        _ bytes: [UInt8], as content: FlagDocumentFormat, limit: Int
    ) throws(LocalFileFailure) -> FlagDocument {
        switch self {
        case .json where !content.holdsValues:
            var limits = FlagJSONReader.Limits()
            limits.maximumBytes = limit
            do {
                return try content.document(json: Data(bytes), limits: limits)
            } catch {
                throw .syntax("\(error)")
            }
        case .json:
            var reader = FlagJSONReader(requiresObject: true)
            reader.limits.maximumBytes = limit
            let value: EncodedFlagValue
            do {
                value = try reader.read(bytes)
            } catch {
                throw .syntax("\(error)")
            }
            return try LocalFileFormat.document(value)
        case .xmlPropertyList, .binaryPropertyList:
            var reader = FlagPropertyListReader()
            reader.limits.maximumBytes = limit
            if let depth = content.maximumDepth { reader.limits.maximumDepth = depth }
            let value: EncodedFlagValue
            do {
                value = try reader.read(bytes)
            } catch {
                throw .syntax("\(error)")
            }
            self = bytes.starts(with: "bplist".utf8) ? .binaryPropertyList : .xmlPropertyList
            return try LocalFileFormat.document(value)
        }
    }

    /// Writes a file: JSON and XML with one member a line, sorted by key.
    func bytes(of document: FlagDocument) throws(LocalFileFailure) -> [UInt8] {
        do throws(FlagValueError) {
            return switch self {
            case .json: try FlagJSONWriter(layout: .pretty).bytes(of: .object(document.root))
            case .xmlPropertyList: try FlagPropertyListWriter(format: .xml).bytes(of: .object(document.root))
            case .binaryPropertyList: try FlagPropertyListWriter(format: .binary).bytes(of: .object(document.root))
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
