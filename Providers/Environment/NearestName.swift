/// A search for the known name that is closest to a misspelled one.
enum NearestName {
    /// Returns the first known name that ends with the given one, or else the one with the smallest edit distance.
    ///
    /// The distance counts characters that are inserted, removed, replaced, or swapped with their neighbor (optimal
    /// string alignment; L. Boytsov, *Indexing Methods for Approximate Dictionary Searching*, ACM JEA, 2011). A third of
    /// the name may change. A name of more than 200 characters is near to none.
    static func find(_ name: String, in known: [String]) -> String? {
        let name = Array(name.lowercased())
        guard !name.isEmpty, name.count <= 200 else { return nil }
        let limit = max(1, name.count / 3)
        var best: (name: String, distance: Int)?
        for candidate in known.sorted() {
            let other = Array(candidate.lowercased())
            // `boom_feature` is the end of `secrets/boom_feature`.
            if other.dropLast(name.count).last?.isLetter == false, other.suffix(name.count) == name[...] {
                return candidate
            }
            guard abs(other.count - name.count) <= limit else { continue }
            let distance = distance(name, other)
            if distance <= limit, distance < best?.distance ?? .max { best = (candidate, distance) }
        }
        return best?.name
    }

    private static func distance(_ left: [Character], _ right: [Character]) -> Int {
        var rows = [Array(0...right.count)]
        for row in left.indices {
            rows.append([row + 1])
            for column in right.indices {
                let replaced = rows[row][column] + (left[row] == right[column] ? 0 : 1)
                var least = min(replaced, rows[row][column + 1] + 1, rows[row + 1][column] + 1)
                if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                    least = min(least, rows[row - 1][column - 1] + 1)
                }
                rows[row + 1].append(least)
            }
        }
        return rows[left.count][right.count]
    }
}
