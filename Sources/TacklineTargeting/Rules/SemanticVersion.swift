/// A version in the order of semver.org 2.0.0. Build metadata is dropped, since it does not count.
package struct SemanticVersion: Sendable {
    /// The signs of `sem_ver`.
    static let signs = ["=", "!=", "<", "<=", ">", ">=", "^", "~"]

    /// Major, minor and patch as decimal digits without leading zeros, of any length.
    private let numbers: [Substring]
    private let prerelease: [Substring]

    /// Reads a version. One leading `v` or `V` is dropped, and a release may be partial: `1`, `1.2`.
    package init?(_ text: String) {
        var rest = text.utf8[...]
        if let first = rest.first, first | 0x20 == UInt8(ascii: "v") { rest.removeFirst() }
        let build = rest.firstIndex(of: UInt8(ascii: "+"))
        if let build {
            guard Self.areIdentifiers(Self.parts(rest[rest.index(after: build)...])) else { return nil }
            rest = rest[..<build]
        }
        var prerelease: [Substring] = []
        if let dash = rest.firstIndex(of: UInt8(ascii: "-")) {
            prerelease = Self.parts(rest[rest.index(after: dash)...])
            guard Self.areIdentifiers(prerelease),
                prerelease.allSatisfy({ !Self.isNumeric($0) || Self.isNumber($0) })
            else { return nil }
            rest = rest[..<dash]
        }
        let numbers = Self.parts(rest)
        // A partial version names a line of releases, which has no prerelease.
        guard numbers.count == 3 || numbers.count < 3 && prerelease.isEmpty, numbers.allSatisfy({ Self.isNumber($0) })
        else { return nil }
        self.numbers = numbers + Array(repeating: "0", count: 3 - numbers.count)
        self.prerelease = prerelease
    }

    /// Returns a negative number if this version comes before the other, zero if they are equal, a positive number
    /// otherwise.
    package func order(relativeTo other: SemanticVersion) -> Int {
        for (mine, theirs) in zip(numbers, other.numbers) {
            let order = Self.numericOrder(mine, theirs)
            if order != 0 { return order }
        }
        if prerelease.isEmpty || other.prerelease.isEmpty {
            return (prerelease.isEmpty ? 1 : 0) - (other.prerelease.isEmpty ? 1 : 0)
        }
        for (mine, theirs) in zip(prerelease, other.prerelease) {
            let order: Int =
                switch (Self.isNumeric(mine), Self.isNumeric(theirs)) {
                case (true, true): Self.numericOrder(mine, theirs)
                case (true, false): -1
                case (false, true): 1
                case (false, false): Self.byteOrder(mine, theirs)
                }
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

    /// Compares digits without leading zeros, of any length.
    private static func numericOrder(_ left: Substring, _ right: Substring) -> Int {
        let difference = left.utf8.count - right.utf8.count
        return difference == 0 ? byteOrder(left, right) : difference
    }

    private static func byteOrder(_ left: Substring, _ right: Substring) -> Int {
        if left.utf8.elementsEqual(right.utf8) { return 0 }
        return left.utf8.lexicographicallyPrecedes(right.utf8) ? -1 : 1
    }

    private static func isNumeric(_ text: Substring) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { $0 >= 48 && $0 <= 57 }
    }

    private static func isNumber(_ text: Substring) -> Bool {
        isNumeric(text) && (text.utf8.count == 1 || text.utf8.first != 48)
    }

    private static func parts(_ text: Substring.UTF8View) -> [Substring] {
        text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map { Substring($0) }
    }

    /// Returns whether all parts consist of letters, digits and hyphens, and none is empty.
    private static func areIdentifiers(_ parts: [Substring]) -> Bool {
        parts.allSatisfy { part in
            !part.isEmpty
                && part.utf8.allSatisfy { byte in
                    switch byte {
                    case 48...57, 65...90, 97...122, 45: true
                    default: false
                    }
                }
        }
    }
}
