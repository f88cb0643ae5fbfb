#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// Foundation: `Data` and `Date` are cases of the neutral form.

/// The bytes of a binary property list while it is written (the format is described in `CFBinaryPList.c` of Core
/// Foundation).
struct FlagBinaryPropertyListOutput {
    private enum Object {
        case leaf([UInt8])
        case container(marker: UInt8, count: Int, references: [Int])
    }

    private var objects: [Object] = []
    private var keys: [[UInt8]: Int] = [:]

    mutating func document(_ value: EncodedFlagValue) throws(FlagValueError) -> [UInt8] {
        let top = try add(value, level: 0)
        let referenceSize = Self.size(of: objects.count)
        var bytes = FlagBinaryPropertyListParser.magic
        var offsets: [Int] = []
        offsets.reserveCapacity(objects.count)
        for object in objects {
            offsets.append(bytes.count)
            switch object {
            case .leaf(let content):
                bytes += content
            case .container(let marker, let count, let references):
                bytes += Self.header(marker, count: count)
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

    /// Adds a value and all that is in it; the recursion ends at the depth that the reader ends at.
    private mutating func add(_ value: EncodedFlagValue, level: Int) throws(FlagValueError) -> Int {
        switch value {
        case .null: return add(Self.string(FlagPropertyListMarker.null))
        case .bool(let value): return add([value ? 0x09 : 0x08])
        case .integer(let value):
            return add(Self.integer(value) ?? Self.string(FlagPropertyListMarker.integer(value)))
        case .double(let value): return add([0x23] + Self.bigEndian(value.bitPattern, size: 8))
        case .string(let text), .unparsed(let text):
            return add(Self.string(FlagPropertyListMarker.escaped(text)))
        case .data(let data): return add(Self.header(0x40, count: data.count) + data)
        case .date(let date):
            return add([0x33] + Self.bigEndian(date.timeIntervalSinceReferenceDate.bitPattern, size: 8))
        case .array(let elements): return try add(elements, level: level)
        case .object(let members): return try add(members, level: level)
        }
    }

    private mutating func add(_ bytes: [UInt8]) -> Int {
        objects.append(.leaf(bytes))
        return objects.count - 1
    }

    private mutating func add(_ elements: [EncodedFlagValue], level: Int) throws(FlagValueError) -> Int {
        try FlagJSONOutput.checkDepth(level)
        var references: [Int] = []
        references.reserveCapacity(elements.count)
        for (index, element) in elements.enumerated() {
            do {
                references.append(try add(element, level: level + 1))
            } catch {
                throw error.nested(in: String(index))
            }
        }
        objects.append(.container(marker: 0xA0, count: elements.count, references: references))
        return objects.count - 1
    }

    private mutating func add(_ members: [String: EncodedFlagValue], level: Int) throws(FlagValueError) -> Int {
        try FlagJSONOutput.checkDepth(level)
        var keyReferences: [Int] = []
        var references: [Int] = []
        for (key, value) in members.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
            keyReferences.append(add(key: key))
            do {
                references.append(try add(value, level: level + 1))
            } catch {
                throw error.nested(in: key)
            }
        }
        objects.append(.container(marker: 0xD0, count: members.count, references: keyReferences + references))
        return objects.count - 1
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
