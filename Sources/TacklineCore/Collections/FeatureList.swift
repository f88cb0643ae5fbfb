/// The flags of an enum, found by its cases without a lock.
@usableFromInline
final class FeatureList<F: Feature>: Sendable {
    /// The cases.
    let features: [F]
    /// The flag of each case.
    let flags: [Flag<F.Value>]
    /// The flags by the bits of their feature. Empty unless every feature has at most two bytes and their bits, taken as
    /// numbers, are 0, 1, 2 and so on, as those of enums without payloads are.
    @usableFromInline let table: [Flag<F.Value>]
    /// The number of each feature among the flags.
    private let ordinals: [F: Int]

    init(makeFlag: (F, Int) -> Flag<F.Value>) {
        features = Array(F.allCases)
        var flags: [Flag<F.Value>] = []
        var patterns: [Int: Flag<F.Value>] = [:]
        for (index, feature) in features.enumerated() {
            let flag = makeFlag(feature, index)
            flags.append(flag)
            if let pattern = Self.pattern(of: feature), patterns[pattern] == nil { patterns[pattern] = flag }
        }
        self.flags = flags
        ordinals = Dictionary(features.enumerated().map { ($0.element, $0.offset) }) { first, _ in first }
        let table = flags.indices.compactMap { patterns[$0] }
        self.table = table.count == flags.count ? table : []
    }

    /// Looks a feature up by its hash; `nil` if `allCases` leaves it out.
    func flag(of feature: F) -> Flag<F.Value>? {
        ordinals[feature].map { flags[$0] }
    }

    /// The bits of a feature as a number, or `nil` for a type that has more than two bytes or more to it than bits.
    @inlinable @inline(__always)
    static func pattern(of feature: F) -> Int? {
        guard _isPOD(F.self) else { return nil }
        switch MemoryLayout<F>.size {
        case 0: return 0
        case 1: return unsafe withUnsafeBytes(of: feature) { Int(unsafe $0.loadUnaligned(as: UInt8.self)) }
        case 2: return unsafe withUnsafeBytes(of: feature) { Int(unsafe $0.loadUnaligned(as: UInt16.self)) }
        default: return nil
        }
    }
}
