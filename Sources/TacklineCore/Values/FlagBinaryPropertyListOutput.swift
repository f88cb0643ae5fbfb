#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// Foundation: `Data` and `Date` are cases of the neutral form.

/// The bytes of a binary property list while it is written (the format is described in `CFBinaryPList.c` of Core
/// Foundation).
struct FlagBinaryPropertyListOutput: FlagValueVisitor {
    private enum Object {
        case leaf([UInt8])
        case container(isObject: Bool, count: Int, references: [Int])
    }

    /// A container that is not finished: the objects that it refers to.
    private struct Frame {
        var keys: [Int] = []
        var values: [Int] = []
    }

    private var objects: [Object] = []
    /// With one at the bottom that holds the whole list.
    private var frames = [Frame()]
    private var keys: [[UInt8]: Int] = [:]

    mutating func document(_ value: EncodedFlagValue) throws(FlagValueError) -> [UInt8] {
        try visit(value)
        let top = objects.count - 1  // the outermost object is finished last
        let referenceSize = Self.size(of: objects.count)
        var bytes = FlagBinaryPropertyListParser.magic
        var offsets: [Int] = []
        offsets.reserveCapacity(objects.count)
        for object in objects {
            offsets.append(bytes.count)
            switch object {
            case .leaf(let content):
                bytes += content
            case .container(let isObject, let count, let references):
                bytes += Self.header(isObject ? 0xD0 : 0xA0, count: count)
                for reference in references { bytes += Self.bigEndian(reference, size: referenceSize) }
            }
        }
        let table = bytes.count
        let offsetSize = Self.size(of: table)
        for offset in offsets { bytes += Self.bigEndian(offset, size: offsetSize) }
        bytes += [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)]
        for number in [objects.count, top, table] { bytes += Self.bigEndian(number, size: 8) }
        return bytes
    }

    mutating func leaf(_ value: EncodedFlagValue, level: Int) throws(FlagValueError) {
        frames[frames.count - 1].values.append(add(Self.bytes(of: value)))
    }

    mutating func begin(isObject: Bool, count: Int, level: Int) {
        frames.append(Frame())
    }

    mutating func part(key: String?, isFirst: Bool, level: Int) {
        if let key { frames[frames.count - 1].keys.append(add(key: key)) }
    }

    mutating func end(isObject: Bool, count: Int, level: Int) {
        let frame = frames.removeLast()
        objects.append(.container(isObject: isObject, count: count, references: frame.keys + frame.values))
        frames[frames.count - 1].values.append(objects.count - 1)
    }

    private mutating func add(_ bytes: [UInt8]) -> Int {
        objects.append(.leaf(bytes))
        return objects.count - 1
    }

    private static func bytes(of leaf: EncodedFlagValue) -> [UInt8] {
        switch leaf {
        case .null, .array, .object: string(FlagPropertyListMarker.null)
        case .bool(let value): [value ? 0x09 : 0x08]
        case .integer(let value): integer(value) ?? string(FlagPropertyListMarker.integer(value))
        case .double(let value): [0x23] + bigEndian(value.bitPattern, size: 8)
        case .string(let text), .unparsed(let text): string(FlagPropertyListMarker.escaped(text))
        case .data(let data): header(0x40, count: data.count) + data
        case .date(let date): [0x33] + bigEndian(date.timeIntervalSinceReferenceDate.bitPattern, size: 8)
        }
    }

    /// Adds a key, once however often it occurs. The same in bytes: equivalent strings are different keys.
    private mutating func add(key: String) -> Int {
        let bytes = Self.string(FlagPropertyListMarker.escaped(key))
        if let known = keys[bytes] { return known }
        let reference = add(bytes)
        keys[bytes] = reference
        return reference
    }

    private static func string(_ text: String) -> [UInt8] {
        let ascii = Array(text.utf8)
        if ascii.allSatisfy({ $0 < 0x80 }) { return header(0x50, count: ascii.count) + ascii }
        let units = Array(text.utf16)
        return header(0x60, count: units.count) + units.flatMap { bigEndian($0, size: 2) }
    }

    /// A number of the range of `Int64` and `UInt64`, which is what other readers know.
    private static func integer(_ value: Int128) -> [UInt8]? {
        if value < 0 {
            return Int64(exactly: value).map { [0x13] + bigEndian(UInt64(bitPattern: $0), size: 8) }
        }
        guard let value = UInt64(exactly: value) else { return nil }
        if value > Int64.max { return [0x14] + bigEndian(0 as UInt64, size: 8) + bigEndian(value, size: 8) }
        let size = wordSize(of: value)
        return [0x10 | UInt8(size.trailingZeroBitCount)] + bigEndian(value, size: size)
    }

    private static func header(_ marker: UInt8, count: Int) -> [UInt8] {
        guard count >= 0xF else { return [marker | UInt8(count)] }
        let size = wordSize(of: UInt64(count))
        return [marker | 0xF, 0x10 | UInt8(size.trailingZeroBitCount)] + bigEndian(count, size: size)
    }

    /// The size of the smallest word that holds the number and that stays positive in it: eight bytes are signed.
    private static func wordSize(of number: UInt64) -> Int {
        number >> 8 == 0 ? 1 : number >> 16 == 0 ? 2 : number >> 32 == 0 ? 4 : 8
    }

    /// How many bytes a number up to this one takes.
    private static func size(of number: Int) -> Int {
        (1..<8).first { UInt64(number) >> (8 * $0) == 0 } ?? 8
    }

    private static func bigEndian(_ value: some BinaryInteger, size: Int) -> [UInt8] {
        let value = UInt64(truncatingIfNeeded: value)
        return (1...size).map { UInt8(truncatingIfNeeded: value >> (8 * (size - $0))) }
    }
}
