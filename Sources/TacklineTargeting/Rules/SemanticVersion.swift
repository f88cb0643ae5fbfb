/// A version in the order of semver.org 2.0.0. Build metadata is dropped, since it does not count.
package struct SemanticVersion: Sendable {
    static let signs = ["=", "!=", "<", "<=", ">", ">=", "^", "~"]

    /// Major, minor and patch as decimal digits without leading zeros, of any length.
    private var numbers: [Substring]
    private var prerelease: [Substring]

    /// Reads a version. One leading `v` or `V` is dropped, and a release may be partial: `1`, `1.2`.
    package init?(_ text: String) {
        var rest = Substring(text)
        if let first = rest.utf8.first, first | 0x20 == UInt8(ascii: "v") {
            rest = rest[rest.utf8.index(after: rest.startIndex)...]
        }
        let build = Self.takeIdentifiers(after: UInt8(ascii: "+"), from: &rest)
        prerelease = Self.takeIdentifiers(after: UInt8(ascii: "-"), from: &rest)
        numbers = Self.parts(rest)
        // A partial version names a line of releases, which has no prerelease.
        guard numbers.count == 3 || numbers.count < 3 && prerelease.isEmpty, numbers.allSatisfy(Self.isNumber),
            prerelease.allSatisfy({ Self.isNumeric($0) ? Self.isNumber($0) : Self.isIdentifier($0) }),
            build.allSatisfy(Self.isIdentifier)
        else { return nil }
        numbers += Array(repeating: "0", count: 3 - numbers.count)
    }

    /// Returns a negative number if this version comes before the other, zero if they are equal, a positive number
    /// otherwise.
    package func order(relativeTo other: SemanticVersion) -> Int {
        // A release comes after its prereleases.
        let isRelease = prerelease.isEmpty
        if numbers == other.numbers, isRelease != other.prerelease.isEmpty { return isRelease ? 1 : -1 }
        for (mine, theirs) in zip(numbers + prerelease, other.numbers + other.prerelease) {
            let order = Self.order(mine, theirs)
            if order != 0 { return order }
        }
        return prerelease.count - other.prerelease.count
    }

    /// Returns whether a sign of `sem_ver` holds between two versions; `nil` for a text that is no sign.
    func holds(_ sign: String, _ other: SemanticVersion) -> Bool? {
        switch sign {
        case "=": order(relativeTo: other) == 0
        case "!=": order(relativeTo: other) != 0
        case "<": order(relativeTo: other) < 0
        case "<=": order(relativeTo: other) <= 0
        case ">": order(relativeTo: other) > 0
        case ">=": order(relativeTo: other) >= 0
        // The same major version; the same major and minor version.
        case "^": numbers[0] == other.numbers[0]
        case "~": numbers[..<2] == other.numbers[..<2]
        default: nil
        }
    }

    /// Compares numbers of any length by their values, other identifiers by their bytes, and numbers before those.
    private static func order(_ left: Substring, _ right: Substring) -> Int {
        let (isNumber, isOtherNumber) = (isNumeric(left), isNumeric(right))
        if isNumber != isOtherNumber { return isNumber ? -1 : 1 }
        let difference = left.utf8.count - right.utf8.count
        if isNumber, difference != 0 { return difference }
        if left.utf8.elementsEqual(right.utf8) { return 0 }
        return left.utf8.lexicographicallyPrecedes(right.utf8) ? -1 : 1
    }

    private static func isNumeric(_ text: Substring) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { $0 >= 48 && $0 <= 57 }
    }

    /// Returns whether a text is a number without a leading zero.
    private static func isNumber(_ text: Substring) -> Bool {
        isNumeric(text) && (text.utf8.count == 1 || text.utf8.first != 48)
    }

    private static func isIdentifier(_ text: Substring) -> Bool {
        // Digits, letters and the hyphen.
        !text.isEmpty
            && text.utf8.allSatisfy { (48...57).contains($0) || (65...90).contains($0 & 0xDF) || $0 == 45 }
    }

    private static func parts(_ text: Substring) -> [Substring] {
        text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map { Substring($0) }
    }

    /// Removes everything from a mark on, and returns the identifiers after it; none without the mark.
    private static func takeIdentifiers(after mark: UInt8, from text: inout Substring) -> [Substring] {
        guard let index = text.utf8.firstIndex(of: mark) else { return [] }
        defer { text = text[..<index] }
        return parts(text[text.utf8.index(after: index)...])
    }
}
