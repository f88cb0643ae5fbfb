#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// Foundation: `Data` and `Date` are cases of the neutral form.

// Written out because of strings, doubles and depth. `String` compares by canonical equivalence, in time that grows
// with the square of a run of combining marks: a server could keep us busy for minutes with one string. A NaN that is
// not equal to itself would be announced as a change forever. And nothing here recurses, so that the greatest depth fits
// on a small stack.
extension EncodedFlagValue {
    /// Whether both are of the same case with the same content; strings and keys are compared by their bytes in UTF-8.
    public static func == (left: EncodedFlagValue, right: EncodedFlagValue) -> Bool {
        guard left.isContainer, right.isContainer else { return haveEqualLeaves(left, right) }
        var pending = [(left, right)]
        while let (left, right) = pending.popLast() {
            switch (left, right) {
            case (.array(let left), .array(let right)):
                guard left.count == right.count else { return false }
                for (left, right) in zip(left, right) where !areEqual(left, right, later: &pending) { return false }
            case (.object(let left), .object(let right)):
                guard left.count == right.count else { return false }
                for (key, left) in left {
                    guard let right = right[exact: key], areEqual(left, right, later: &pending) else { return false }
                }
            default:
                return false
            }
        }
        return true
    }

    /// Feeds what ``==(_:_:)`` compares, though of arrays and objects in each other only how many parts they have.
    public func hash(into hasher: inout Hasher) {
        hashLeaf(into: &hasher)
        switch self {
        case .array(let elements):
            for element in elements { element.hashLeaf(into: &hasher) }
        case .object(let members):
            // Members have no order.
            var mixed = 0
            for (key, value) in members {
                var member = Hasher()
                key.hashBytes(into: &member)
                value.hashLeaf(into: &member)
                mixed ^= member.finalize()
            }
            hasher.combine(mixed)
        default:
            break
        }
    }

    private var isContainer: Bool {
        switch self {
        case .array, .object: true
        default: false
        }
    }

    /// Whether two parts are equal as far as that can be said now; two containers are put off.
    private static func areEqual(
        _ left: EncodedFlagValue,
        _ right: EncodedFlagValue,
        later pending: inout [(EncodedFlagValue, EncodedFlagValue)]
    ) -> Bool {
        guard left.isContainer, right.isContainer else { return haveEqualLeaves(left, right) }
        pending.append((left, right))
        return true
    }

    private static func haveEqualLeaves(_ left: EncodedFlagValue, _ right: EncodedFlagValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.integer(let left), .integer(let right)): left == right
        case (.double(let left), .double(let right)):
            left.bitPattern == right.bitPattern || left.isNaN && right.isNaN
        case (.string(let left), .string(let right)), (.unparsed(let left), .unparsed(let right)):
            left.hasSameBytes(as: right)
        case (.data(let left), .data(let right)): left == right
        case (.date(let left), .date(let right)): left == right
        default: false
        }
    }

    private func hashLeaf(into hasher: inout Hasher) {
        switch self {
        case .null:
            hasher.combine(0)
        case .bool(let value):
            hasher.combine(1)
            hasher.combine(value)
        case .integer(let value):
            hasher.combine(2)
            hasher.combine(value)
        case .double(let value):
            hasher.combine(3)
            hasher.combine(value.isNaN ? 0 : value.bitPattern)
        case .string(let text):
            hasher.combine(4)
            text.hashBytes(into: &hasher)
        case .data(let value):
            hasher.combine(5)
            hasher.combine(value)
        case .date(let value):
            hasher.combine(6)
            hasher.combine(value)
        case .array(let elements):
            hasher.combine(7)
            hasher.combine(elements.count)
        case .object(let members):
            hasher.combine(8)
            hasher.combine(members.count)
        case .unparsed(let text):
            hasher.combine(9)
            text.hashBytes(into: &hasher)
        }
    }
}
