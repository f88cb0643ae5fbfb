import TacklineCore

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
    mutating func read(_ bytes: [UInt8], limit: Int) throws(LocalFileFailure) -> FlagDocument {
        switch self {
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
