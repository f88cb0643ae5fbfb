#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A hash of contents that is the same in every process, for ``FingerprintedProvider``.
///
/// It is FNV-1a with 64 bits (G. Fowler, L. C. Noll, K.-P. Vo), which tells contents apart that no one has made equal on
/// purpose.
package struct FlagFingerprint {
    /// The hash of what was added so far.
    package private(set) var hash: UInt64 = 0xcbf2_9ce4_8422_2325

    package init() {}

    /// Adds a text.
    package mutating func combine(_ text: some StringProtocol) {
        text.utf8.forEach { add($0) }
        // No text contains this byte, so neighbors stay apart.
        add(0xFF)
    }

    /// Adds a value with its type. The order of an object's members doesn't matter.
    package mutating func combine(_ value: EncodedFlagValue) {
        switch value {
        case .null: combine("null")
        case .bool(let bool): combine("\(bool)")
        case .integer(let number): combine("integer \(number)")
        case .double(let number): combine("double \(number.bitPattern)")
        case .string(let text): combine("string \(text)")
        case .unparsed(let text): combine("unparsed \(text)")
        case .data(let data): combine("data \(data.base64EncodedString())")
        case .date(let date): combine("date \(date.timeIntervalSinceReferenceDate.bitPattern)")
        case .array(let elements):
            combine("array \(elements.count)")
            elements.forEach { combine($0) }
        case .object(let members): combine(members)
        }
    }

    fileprivate mutating func combine(_ members: [String: EncodedFlagValue]) {
        combine("object \(members.count)")
        for (name, value) in members.sorted(by: { $0.key < $1.key }) {
            combine(name)
            combine(value)
        }
    }

    private mutating func add(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
}

extension FlagDocument {
    /// The fingerprint of the values without the member `$version`, or `nil` if there are none.
    package var fingerprint: UInt64? {
        var members = root
        members["$version"] = nil
        guard !members.isEmpty else { return nil }
        var fingerprint = FlagFingerprint()
        fingerprint.combine(members)
        return fingerprint.hash
    }
}
