#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import TacklineCore

// Foundation: `Data` and `Date` are cases of the neutral form.

/// The bytes of a binary property list while it is written (the format is described in `CFBinaryPList.c` of Core
/// Foundation).
///
/// Foundation's own writer is not used, because it writes equal values as different bytes.
struct FlagBinaryPropertyListOutput: FlagValueVisitor {
    /// What stands at one place of the list; an array or an object refers to its parts by their numbers.
    private struct Object {
        var bytes: [UInt8]
        var references: [Int] = []
    }

    /// An array or an object that is not finished: the numbers of its parts.
    private struct Frame {
        var keys: [Int] = []
        var values: [Int] = []
    }

    private var objects: [Object] = []
    /// With one at the bottom that holds the whole list.
    private var frames = [Frame()]
    private var keys: [[UInt8]: Int] = [:]

    mutating func document(_ value: EncodedFlagValue, maximumDepth: Int) throws(FlagValueError) -> [UInt8] {
        try visit(value, maximumDepth: maximumDepth)
        let referenceSize = Self.size(of: objects.count)
        var bytes = FlagBinaryPropertyListParser.magic
        var offsets: [Int] = []
        offsets.reserveCapacity(objects.count)
        for object in objects {
            offsets.append(bytes.count)
            bytes += object.bytes
            for reference in object.references { bytes += Self.bigEndian(reference, size: referenceSize) }
        }
        let table = bytes.count
        let offsetSize = Self.size(of: table)
        for offset in offsets { bytes += Self.bigEndian(offset, size: offsetSize) }
        bytes += [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)]
        // The outermost object is finished last.
        for number in [objects.count, objects.count - 1, table] { bytes += Self.bigEndian(number, size: 8) }
        return bytes
    }

    mutating func leaf(_ value: EncodedFlagValue, level: Int) throws(FlagValueError) {
        frames[frames.count - 1].values.append(add(Object(bytes: Self.bytes(of: value))))
    }

    mutating func begin(isObject: Bool, count: Int, level: Int) {
        frames.append(Frame())
    }

    /// Adds a key, once however often it occurs. The same in bytes: equivalent strings are different keys.
    mutating func part(key: String?, isFirst: Bool, level: Int) {
        guard let key else { return }
        let bytes = Self.string(FlagPropertyListMarker.escaped(key))
        let reference = keys[bytes] ?? add(Object(bytes: bytes))
        keys[bytes] = reference
        frames[frames.count - 1].keys.append(reference)
    }

    mutating func end(isObject: Bool, count: Int, level: Int) {
        let frame = frames.removeLast()
        let header = Self.header(isObject ? 0xD0 : 0xA0, count: count)
        frames[frames.count - 1].values.append(add(Object(bytes: header, references: frame.keys + frame.values)))
    }

    private mutating func add(_ object: Object) -> Int {
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

    /// A number of the range of `Int64` and `UInt64`, which is what other readers know; a marker for any other.
    private static func integer(_ value: Int128) -> [UInt8] {
        if value < 0, let value = Int64(exactly: value) { return [0x13] + bigEndian(value, size: 8) }
        guard let number = UInt64(exactly: value) else { return string(FlagPropertyListMarker.integer(value)) }
        return number > Int64.max ? [0x14] + bigEndian(0, size: 8) + bigEndian(number, size: 8) : word(number)
    }

    private static func header(_ marker: UInt8, count: Int) -> [UInt8] {
        count < 0xF ? [marker | UInt8(count)] : [marker | 0xF] + word(UInt64(count))
    }

    /// A number in the smallest word that holds it and in which it stays positive: eight bytes are signed.
    private static func word(_ number: UInt64) -> [UInt8] {
        let size = number >> 8 == 0 ? 1 : number >> 16 == 0 ? 2 : number >> 32 == 0 ? 4 : 8
        return [0x10 | UInt8(size.trailingZeroBitCount)] + bigEndian(number, size: size)
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
