#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import TacklineCore

// Foundation provides `Data` and `Date`, which `EncodedFlagValue` contains.

/// An encoder for binary property lists.
///
/// The format is described in `CFBinaryPList.c` of Core Foundation. Foundation's own writer is not used, because it can
/// write equal values as different bytes.
struct FlagBinaryPropertyListEncoder: FlagValueVisitor {
    /// An entry of the object table. Containers refer to their elements by index.
    private struct Object {
        var bytes: [UInt8]
        var references: [Int] = []
    }

    /// An open container, with the indices of the keys and values written so far.
    private struct Frame {
        var keys: [Int] = []
        var values: [Int] = []
    }

    private var objects: [Object] = []
    /// The open containers. The first frame receives the outermost value.
    private var frames = [Frame()]
    /// The indices of the keys in `objects`, by the keys' bytes: canonically equivalent strings are different keys.
    private var keyIndices: [[UInt8]: Int] = [:]

    mutating func encode(_ value: EncodedFlagValue, maximumDepth: Int) throws(FlagValueError) -> [UInt8] {
        try visit(value, maximumDepth: maximumDepth)
        let referenceSize = Self.byteCount(of: objects.count)
        var bytes = FlagBinaryPropertyListParser.magic
        var offsets: [Int] = []
        offsets.reserveCapacity(objects.count)
        for object in objects {
            offsets.append(bytes.count)
            bytes += object.bytes
            for reference in object.references { bytes += Self.bigEndian(reference, size: referenceSize) }
        }
        let table = bytes.count
        let offsetSize = Self.byteCount(of: table)
        for offset in offsets { bytes += Self.bigEndian(offset, size: offsetSize) }
        bytes += [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)]
        // The top object is the last one, because a container is appended after its elements.
        for number in [objects.count, objects.count - 1, table] { bytes += Self.bigEndian(number, size: 8) }
        return bytes
    }

    mutating func visitLeaf(_ value: EncodedFlagValue, level: Int) throws(FlagValueError) {
        frames[frames.count - 1].values.append(append(Object(bytes: Self.bytes(of: value))))
    }

    mutating func beginContainer(isObject: Bool, count: Int, level: Int) {
        frames.append(Frame())
    }

    mutating func beginElement(key: String?, isFirst: Bool, level: Int) {
        guard let key else { return }
        let bytes = Self.string(FlagPropertyListMarker.escaped(key))
        let reference = keyIndices[bytes] ?? append(Object(bytes: bytes))
        keyIndices[bytes] = reference
        frames[frames.count - 1].keys.append(reference)
    }

    mutating func endContainer(isObject: Bool, count: Int, level: Int) {
        let frame = frames.removeLast()
        let header = Self.header(isObject ? 0xD0 : 0xA0, count: count)
        frames[frames.count - 1].values.append(append(Object(bytes: header, references: frame.keys + frame.values)))
    }

    private mutating func append(_ object: Object) -> Int {
        objects.append(object)
        return objects.count - 1
    }

    private static func bytes(of leaf: EncodedFlagValue) -> [UInt8] {
        switch leaf {
        case .null, .array, .object: string(FlagPropertyListMarker.null)
        case .bool(let value): [value ? 0x09 : 0x08]
        case .integer(let value): integer(value)
        case .double(let value): [0x23] + bigEndian(value.bitPattern, size: 8)
        case .string(let text), .unparsed(let text): string(FlagPropertyListMarker.escaped(text))
        case .data(let data): header(0x40, count: data.count) + data
        case .date(let date): [0x33] + bigEndian(date.timeIntervalSinceReferenceDate.bitPattern, size: 8)
        }
    }

    private static func string(_ text: String) -> [UInt8] {
        let ascii = Array(text.utf8)
        if ascii.allSatisfy({ $0 < 0x80 }) { return header(0x50, count: ascii.count) + ascii }
        let units = Array(text.utf16)
        return header(0x60, count: units.count) + units.flatMap { bigEndian($0, size: 2) }
    }

    private static func integer(_ value: Int128) -> [UInt8] {
        // Other readers support only the ranges of `Int64` and `UInt64`.
        if value < 0, let value = Int64(exactly: value) { return [0x13] + bigEndian(value, size: 8) }
        guard let number = UInt64(exactly: value) else { return string(FlagPropertyListMarker.integer(value)) }
        return number > Int64.max ? [0x14] + bigEndian(0, size: 8) + bigEndian(number, size: 8) : word(number)
    }

    private static func header(_ marker: UInt8, count: Int) -> [UInt8] {
        count < 0xF ? [marker | UInt8(count)] : [marker | 0xF] + word(UInt64(count))
    }

    /// Returns an integer object of 1, 2, 4 or 8 bytes. Integers of 8 bytes are signed, so `number` must fit in
    /// `Int64`.
    private static func word(_ number: UInt64) -> [UInt8] {
        let size = number >> 8 == 0 ? 1 : number >> 16 == 0 ? 2 : number >> 32 == 0 ? 4 : 8
        return [0x10 | UInt8(size.trailingZeroBitCount)] + bigEndian(number, size: size)
    }

    private static func byteCount(of number: Int) -> Int {
        (1..<8).first { UInt64(number) >> (8 * $0) == 0 } ?? 8
    }

    private static func bigEndian(_ value: some BinaryInteger, size: Int) -> [UInt8] {
        let value = UInt64(truncatingIfNeeded: value)
        return (1...size).map { UInt8(truncatingIfNeeded: value >> (8 * (size - $0))) }
    }
}
