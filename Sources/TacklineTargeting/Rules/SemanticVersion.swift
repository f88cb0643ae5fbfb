/// A version in the order of semver.org 2.0.0. Build metadata is dropped, since it does not count.
package struct SemanticVersion: Sendable {
    /// The number as decimal digits without leading zeros, of any length.
    var major: Substring
    var minor: Substring
    var patch: Substring
    var prerelease: [Substring]

    /// Reads a version. One leading `v` or `V` is dropped, and a release may be partial: `1`, `1.2`.
    package init?(_ text: String) {
        // Read byte by byte, since comparing characters takes several times as long.
        var rest = text[...]
        if rest.utf8.first.map({ $0 | 0x20 }) == UInt8(ascii: "v") { rest = Substring(rest.utf8.dropFirst()) }
        if let plus = rest.utf8.firstIndex(of: UInt8(ascii: "+")) {
            guard Self.identifiers(rest[rest.utf8.index(after: plus)...]) != nil else { return nil }
            rest = rest[..<plus]
        }
        prerelease = []
        if let dash = rest.utf8.firstIndex(of: UInt8(ascii: "-")) {
            guard let identifiers = Self.identifiers(rest[rest.utf8.index(after: dash)...]),
                !identifiers.contains(where: { Self.isNumeric($0) && !Self.isNumber($0) })
            else { return nil }
            prerelease = identifiers
            rest = rest[..<dash]
        }
        let numbers = Self.parts(rest)
        guard numbers.count <= 3, numbers.allSatisfy({ Self.isNumber($0) }) else { return nil }
        // A partial version names a line of releases, which has no prerelease.
        guard numbers.count == 3 || prerelease.isEmpty else { return nil }
        major = numbers[0]
        minor = numbers.count > 1 ? numbers[1] : "0"
        patch = numbers.count > 2 ? numbers[2] : "0"
    }

    /// Returns a negative number if this version comes before the other, zero if they are equal, a positive number
    /// otherwise.
    package func order(relativeTo other: SemanticVersion) -> Int {
        for (mine, theirs) in [(major, other.major), (minor, other.minor), (patch, other.patch)] {
            let order = Self.numericOrder(mine, theirs)
            if order != 0 { return order }
        }
        if prerelease.isEmpty || other.prerelease.isEmpty {
            return (prerelease.isEmpty ? 1 : 0) - (other.prerelease.isEmpty ? 1 : 0)
        }
        for (mine, theirs) in zip(prerelease, other.prerelease) {
            let order = Self.identifierOrder(mine, theirs)
            if order != 0 { return order }
        }
        return prerelease.count - other.prerelease.count
    }

    private static func identifierOrder(_ left: Substring, _ right: Substring) -> Int {
        switch (isNumeric(left), isNumeric(right)) {
        case (true, true): return numericOrder(left, right)
        case (true, false): return -1
        case (false, true): return 1
        case (false, false):
            if left.utf8.elementsEqual(right.utf8) { return 0 }
            return left.utf8.lexicographicallyPrecedes(right.utf8) ? -1 : 1
        }
    }

    /// Compares digits without leading zeros, of any length.
    private static func numericOrder(_ left: Substring, _ right: Substring) -> Int {
        if left.utf8.count != right.utf8.count { return left.utf8.count < right.utf8.count ? -1 : 1 }
        if left.utf8.elementsEqual(right.utf8) { return 0 }
        return left.utf8.lexicographicallyPrecedes(right.utf8) ? -1 : 1
    }

    private static func isNumeric(_ text: Substring) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { $0 >= 48 && $0 <= 57 }
    }

    private static func isNumber(_ text: Substring) -> Bool {
        isNumeric(text) && (text.utf8.count == 1 || text.utf8.first != 48)
    }

    private static func parts(_ text: Substring) -> [Substring] {
        text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map { Substring($0) }
    }

    /// Returns dot-separated identifiers of letters, digits and hyphens; `nil` if one is empty or has another
    /// character.
    private static func identifiers(_ text: Substring) -> [Substring]? {
        let parts = parts(text)
        let isValid = parts.allSatisfy { part in
            !part.isEmpty
                && part.utf8.allSatisfy { byte in
                    switch byte {
                    case 48...57, 65...90, 97...122, 45: true
                    default: false
                    }
                }
        }
        return isValid ? parts : nil
    }
}
