#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import TacklineCore

// Foundation provides `Data` and `Date`, which `EncodedFlagValue` contains.

/// A parser for binary property lists, version 00.
///
/// The format is described in `CFBinaryPList.c` of Core Foundation. The parser doesn't recurse: open containers are
/// kept in an array, and a container that contains itself is refused at the maximum depth.
struct FlagBinaryPropertyListParser {
    static let magic = Array("bplist00".utf8)

    private let bytes: [UInt8]
    private var builder: FlagPropertyListBuilder
    private var objectCount = 0
    private var referenceSize = 0
    private var offsetSize = 0
    private var tableOffset = 0
    /// The leaves read so far, by object number. Writers store a string that occurs repeatedly only once.
    private var cachedLeaves: [Int: EncodedFlagValue] = [:]
    /// The number of bytes read as strings and data.
    ///
    /// Objects of a valid list don't overlap, so a number above the size of the list reveals a corrupt one.
    private var contentBytesRead = 0
    private var containers: [Container] = []

    private struct Container {
        let keysOffset: Int
        let valuesOffset: Int
        let count: Int
        var next = 0
    }

    init(bytes: [UInt8], limits: FlagPropertyListReader.Limits) {
        self.bytes = bytes
        builder = FlagPropertyListBuilder(limits: limits)
    }

    mutating func parse() throws(FlagPropertyListError) -> EncodedFlagValue {
        try visit(try readTrailer())
        while let container = containers.last {
            let index = container.next
            guard index < container.count else {
                containers.removeLast()
                try builder.close()
                continue
            }
            containers[containers.count - 1].next += 1
            if builder.isInObject {
                guard case .string(let key) = try leaf(try reference(at: container.keysOffset, index: index)) else {
                    throw builder.failure("a key that is not a string; repair the list")
                }
                try builder.setKey(key)
            }
            try visit(try reference(at: container.valuesOffset, index: index))
        }
        guard let document = builder.document else { throw corruptionError() }
        return document
    }

    /// Reads the trailer and returns the number of the top object.
    private mutating func readTrailer() throws(FlagPropertyListError) -> Int {
        let start = bytes.count - 32
        builder.offset = max(start, 0)
        guard start >= Self.magic.count else { throw corruptionError() }
        offsetSize = Int(bytes[start + 6])
        referenceSize = Int(bytes[start + 7])
        guard (1...8).contains(offsetSize), (1...8).contains(referenceSize),
            let count = integer(at: start + 8, size: 8), let top = integer(at: start + 16, size: 8),
            let table = integer(at: start + 24, size: 8),
            table >= Self.magic.count, table <= start, count <= (start - table) / offsetSize, top < count
        else { throw corruptionError() }
        objectCount = count
        tableOffset = table
        return top
    }

    private func corruptionError() -> FlagPropertyListError {
        builder.failure("the binary property list is corrupt; restore or remove it")
    }

    /// Returns an unsigned integer, or `nil` if it is outside of `bytes` or doesn't fit in `Int`.
    private func integer(at offset: Int, size: Int) -> Int? {
        guard offset >= 0, offset <= bytes.count - size else { return nil }
        var value: UInt64 = 0
        for byte in bytes[offset..<offset + size] { value = value << 8 | UInt64(byte) }
        return Int(exactly: value)
    }

    /// Adds an object to the builder if it is a leaf, or opens it if it is a container.
    private mutating func visit(_ object: Int) throws(FlagPropertyListError) {
        let start = try position(of: object)
        let kind = bytes[start] >> 4
        guard kind == 0xA || kind == 0xD else {
            let value = try leaf(object)
            if case .string(let text) = value {
                try builder.add(FlagPropertyListMarker.value(from: text))
            } else {
                try builder.add(value)
            }
            return
        }
        let (count, content) = try length(at: start)
        let referencesPerElement = kind == 0xD ? 2 : 1
        guard count <= (tableOffset - content) / referenceSize / referencesPerElement else { throw corruptionError() }
        try builder.open(isObject: kind == 0xD)
        let values = content + (referencesPerElement - 1) * count * referenceSize
        containers.append(Container(keysOffset: content, valuesOffset: values, count: count))
    }

    /// Returns one reference of a container.
    ///
    /// References are read one at a time and never copied into an array. In a corrupt list, many containers can refer
    /// to the same bytes, so copies could exhaust the memory.
    private func reference(at offset: Int, index: Int) throws(FlagPropertyListError) -> Int {
        guard let reference = integer(at: offset + index * referenceSize, size: referenceSize) else {
            throw corruptionError()
        }
        return reference
    }

    private mutating func position(of object: Int) throws(FlagPropertyListError) -> Int {
        guard object < objectCount, let offset = integer(at: tableOffset + object * offsetSize, size: offsetSize),
            offset >= Self.magic.count, offset < tableOffset
        else { throw corruptionError() }
        builder.offset = offset
        return offset
    }

    /// Returns an object's element count and the offset of its content.
    private func length(at start: Int) throws(FlagPropertyListError) -> (count: Int, content: Int) {
        let short = Int(bytes[start] & 0xF)
        guard short == 0xF else { return (short, start + 1) }
        guard start + 1 < tableOffset, bytes[start + 1] >> 4 == 1, bytes[start + 1] & 0xF <= 3 else {
            throw corruptionError()
        }
        let size = 1 << Int(bytes[start + 1] & 0xF)
        guard start + 2 + size <= tableOffset, let count = integer(at: start + 2, size: size) else {
            throw corruptionError()
        }
        return (count, start + 2 + size)
    }

    private mutating func leaf(_ object: Int) throws(FlagPropertyListError) -> EncodedFlagValue {
        if let leaf = cachedLeaves[object] { return leaf }
        let value = try readLeaf(at: try position(of: object))
        cachedLeaves[object] = value
        return value
    }

    private mutating func content(at start: Int, unit: Int) throws(FlagPropertyListError) -> ArraySlice<UInt8> {
        let (count, content) = try length(at: start)
        guard count <= (tableOffset - content) / unit else { throw corruptionError() }
        contentBytesRead += count * unit
        guard contentBytesRead <= bytes.count else { throw corruptionError() }
        return bytes[content..<content + count * unit]
    }

    private mutating func readLeaf(at start: Int) throws(FlagPropertyListError) -> EncodedFlagValue {
        let marker = bytes[start]
        switch marker {
        case 0x00: return .null
        case 0x08: return .bool(false)
        case 0x09: return .bool(true)
        case 0x10...0x14: return .integer(try wholeNumber(at: start + 1, size: 1 << Int(marker & 0xF)))
        case 0x22:
            return .double(Double(Float(bitPattern: UInt32(truncatingIfNeeded: try bits(at: start + 1, size: 4)))))
        case 0x23: return .double(Double(bitPattern: try bits(at: start + 1, size: 8)))
        case 0x33:
            let interval = Double(bitPattern: try bits(at: start + 1, size: 8))
            return .date(Date(timeIntervalSinceReferenceDate: interval))
        case 0x40...0x4F: return .data(Data(try content(at: start, unit: 1)))
        case 0x50...0x5F:
            let text = try content(at: start, unit: 1)
            guard text.allSatisfy({ $0 < 0x80 }) else { throw corruptionError() }
            return .string(String(decoding: text, as: UTF8.self))
        case 0x60...0x6F:
            let text = try content(at: start, unit: 2)
            let units = stride(from: text.startIndex, to: text.endIndex, by: 2).map { index in
                UInt16(text[index]) << 8 | UInt16(text[index + 1])
            }
            guard let string = String(validating: units, as: UTF16.self) else { throw corruptionError() }
            return .string(string)
        default:
            throw builder.failure("an object of a type that a flag cannot have; remove it")
        }
    }

    private func bits(at offset: Int, size: Int) throws(FlagPropertyListError) -> UInt64 {
        guard offset + size <= tableOffset else { throw corruptionError() }
        return bytes[offset..<offset + size].reduce(0) { $0 << 8 | UInt64($1) }
    }

    private func wholeNumber(at offset: Int, size: Int) throws(FlagPropertyListError) -> Int128 {
        // The format defines 1, 2 and 4 bytes as unsigned, and 8 and 16 bytes as signed.
        guard offset + size <= tableOffset else { throw corruptionError() }
        let value = bytes[offset..<offset + size].reduce(UInt128(0)) { $0 << 8 | UInt128($1) }
        return size == 8 ? Int128(Int64(truncatingIfNeeded: value)) : Int128(truncatingIfNeeded: value)
    }
}
