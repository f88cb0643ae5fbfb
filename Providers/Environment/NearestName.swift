/// A search for the known name that is closest to a misspelled one.
enum NearestName {
    /// Returns the first known name in alphabetical order that ends with the given one, or else the one with the
    /// smallest edit distance.
    ///
    /// The distance counts characters that are inserted, removed, replaced, or swapped with their neighbor (optimal
    /// string alignment distance; L. Boytsov, *Indexing Methods for Approximate Dictionary Searching*, ACM JEA, 2011).
    ///
    /// - Returns: The name, or `nil` if more than a third of the characters would have to change, or the name is longer
    ///   than 200. Of several names at the same distance, the first in alphabetical order.
    /// - Complexity: O(*n* *m*²) for *n* names of *m* characters.
    static func find(_ name: String, in known: some Sequence<String>) -> String? {
        let characters = Array(name.lowercased())
        guard !characters.isEmpty, characters.count <= 200 else { return nil }
        let limit = max(1, characters.count / 3)
        var best: (name: String, distance: Int)?
        for candidate in known.sorted() {
            let candidateCharacters = Array(candidate.lowercased())
            if isEnd(characters, of: candidateCharacters) { return candidate }
            guard abs(candidateCharacters.count - characters.count) <= limit else { continue }
            let distance = distance(characters, candidateCharacters)
            if distance <= limit, distance < best?.distance ?? .max { best = (candidate, distance) }
        }
        return best?.name
    }

    /// Returns whether a name is the last part of another, as `boom_feature` is of `secrets/boom_feature`.
    private static func isEnd(_ name: [Character], of other: [Character]) -> Bool {
        guard name.count < other.count, other.suffix(name.count).elementsEqual(name) else { return false }
        let before = other[other.count - name.count - 1]
        return !before.isLetter && !before.isNumber
    }

    private static func distance(_ left: [Character], _ right: [Character]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for row in left.indices {
            var current = [row + 1]
            for column in right.indices {
                let replaced = last[column] + (left[row] == right[column] ? 0 : 1)
                var least = min(replaced, last[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                    least = min(least, beforeLast[column - 1] + 1)
                }
                current.append(least)
            }
            beforeLast = last
            last = current
        }
        return last[right.count]
    }
}
