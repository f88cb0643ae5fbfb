#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import TacklineCore

// Foundation: `Data` and `Date` are cases of the neutral form.

/// Reads a binary property list, version 00 (the format is described in `CFBinaryPList.c` of Core Foundation).
///
/// Containers are followed on a stack of its own, so that one that contains itself ends at the greatest depth.
struct FlagBinaryPropertyListParser {
    static let magic = Array("bplist00".utf8)

    private let bytes: [UInt8]
    private var builder: FlagPropertyListBuilder
    private var objectCount = 0
    private var referenceSize = 0
    private var offsetSize = 0
    private var tableOffset = 0
    /// What was read already: writers store a text that occurs often once.
    private var leaves: [Int: EncodedFlagValue] = [:]
    /// How many bytes texts and data have taken. In a true list they do not overlap.
    private var bytesRead = 0
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

    mutating func document() throws(FlagPropertyListError) -> EncodedFlagValue {
        try visit(try trailer())
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
        guard let document = builder.document else { throw corrupt() }
        return document
    }

    /// Reads the trailer.
    ///
    /// - Returns: The outermost object.
    private mutating func trailer() throws(FlagPropertyListError) -> Int {
        let start = bytes.count - 32
        builder.offset = max(start, 0)
        guard start >= Self.magic.count else { throw corrupt() }
        offsetSize = Int(bytes[start + 6])
        referenceSize = Int(bytes[start + 7])
        guard (1...8).contains(offsetSize), (1...8).contains(referenceSize),
            let count = integer(at: start + 8, size: 8), let top = integer(at: start + 16, size: 8),
            let table = integer(at: start + 24, size: 8),
            table >= Self.magic.count, table <= start, count <= (start - table) / offsetSize, top < count
        else { throw corrupt() }
        objectCount = count
        tableOffset = table
        return top
    }

    private func corrupt() -> FlagPropertyListError {
        builder.failure("the binary property list is corrupt; restore or remove it")
    }

    /// An unsigned number, or `nil` outside the bytes or beyond what a position can be.
    private func integer(at offset: Int, size: Int) -> Int? {
        guard offset >= 0, offset <= bytes.count - size else { return nil }
        var value: UInt64 = 0
        for byte in bytes[offset..<offset + size] { value = value << 8 | UInt64(byte) }
        return Int(exactly: value)
    }

    /// Adds a leaf, or opens a container.
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
        let lists = kind == 0xD ? 2 : 1
        guard count <= (tableOffset - content) / referenceSize / lists else { throw corrupt() }
        try builder.open(isObject: kind == 0xD)
        let values = content + (lists - 1) * count * referenceSize
        containers.append(Container(keysOffset: content, valuesOffset: values, count: count))
    }

    /// Reads one reference at a time: a list of them is never copied, since many containers can claim the same bytes.
    private func reference(at offset: Int, index: Int) throws(FlagPropertyListError) -> Int {
        guard let reference = integer(at: offset + index * referenceSize, size: referenceSize) else { throw corrupt() }
        return reference
    }

    private mutating func position(of object: Int) throws(FlagPropertyListError) -> Int {
        guard object < objectCount, let offset = integer(at: tableOffset + object * offsetSize, size: offsetSize),
            offset >= Self.magic.count, offset < tableOffset
        else { throw corrupt() }
        builder.offset = offset
        return offset
    }

    /// The length that a marker states, and where the content begins.
    private func length(at start: Int) throws(FlagPropertyListError) -> (count: Int, content: Int) {
        let short = Int(bytes[start] & 0xF)
        guard short == 0xF else { return (short, start + 1) }
        guard start + 1 < tableOffset, bytes[start + 1] >> 4 == 1, bytes[start + 1] & 0xF <= 3 else { throw corrupt() }
        let size = 1 << Int(bytes[start + 1] & 0xF)
        guard start + 2 + size <= tableOffset, let count = integer(at: start + 2, size: size) else { throw corrupt() }
        return (count, start + 2 + size)
    }

    private mutating func leaf(_ object: Int) throws(FlagPropertyListError) -> EncodedFlagValue {
        if let known = leaves[object] { return known }
        let value = try readLeaf(at: try position(of: object))
        leaves[object] = value
        return value
    }

    private mutating func content(at start: Int, unit: Int) throws(FlagPropertyListError) -> ArraySlice<UInt8> {
        let (count, content) = try length(at: start)
        guard count <= (tableOffset - content) / unit else { throw corrupt() }
        bytesRead += count * unit
        guard bytesRead <= bytes.count else { throw corrupt() }
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
            guard text.allSatisfy({ $0 < 0x80 }) else { throw corrupt() }
            return .string(String(decoding: text, as: UTF8.self))
        case 0x60...0x6F:
            let text = try content(at: start, unit: 2)
            let units = stride(from: text.startIndex, to: text.endIndex, by: 2).map { index in
                UInt16(text[index]) << 8 | UInt16(text[index + 1])
            }
            guard let string = String(validating: units, as: UTF16.self) else { throw corrupt() }
            return .string(string)
        default:
            throw builder.failure("an object of a type that a flag cannot have; remove it")
        }
    }

    private func bits(at offset: Int, size: Int) throws(FlagPropertyListError) -> UInt64 {
        guard offset + size <= tableOffset else { throw corrupt() }
        return bytes[offset..<offset + size].reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// One, two and four bytes are unsigned, eight and sixteen are signed.
    private func wholeNumber(at offset: Int, size: Int) throws(FlagPropertyListError) -> Int128 {
        guard offset + size <= tableOffset else { throw corrupt() }
        let value = bytes[offset..<offset + size].reduce(UInt128(0)) { $0 << 8 | UInt128($1) }
        return size == 8 ? Int128(Int64(truncatingIfNeeded: value)) : Int128(truncatingIfNeeded: value)
    }
}
