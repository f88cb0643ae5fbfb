/// Finds the key that was probably meant.
package struct KeySuggestion {
    /// The keys that exist, each as Unicode scalars.
    private let keys: [(text: String, scalars: [Unicode.Scalar])]

    /// Longer keys are not compared: the work grows with the product of the lengths.
    private static let lengthLimit = 128
    private static let keyLimit = 5_000

    package init(_ keys: some Sequence<String>) {
        self.keys = keys.prefix(Self.keyLimit).map { ($0, Array($0.unicodeScalars)) }
            .filter { $0.scalars.count <= Self.lengthLimit }
    }

    /// The nearest key by the number of insertions, deletions, replacements and exchanges of neighbours (optimal string
    /// alignment, after F. J. Damerau, 1964); `nil` if none is near.
    package func nearest(to key: String) -> String? {
        let wanted = Array(key.unicodeScalars.prefix(Self.lengthLimit + 1))
        guard !wanted.isEmpty, wanted.count <= Self.lengthLimit else { return nil }
        var limit = max(1, wanted.count / 3)
        var best: String?
        for (text, scalars) in keys where abs(scalars.count - wanted.count) <= limit {
            let distance = Self.distance(wanted, scalars)
            if distance < limit || distance == limit && best == nil {
                limit = distance
                best = text
            }
        }
        return best
    }

    /// The question whether the nearest key was meant, or the other advice if no key is near.
    package func advice(for key: String, otherwise advice: String) -> String {
        nearest(to: key).map { "did you mean \"\($0)\"?" } ?? advice
    }

    private static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
        var before = Array(0...right.count)
        var row = before
        for position in left.indices {
            var next = [position + 1] + [Int](repeating: 0, count: right.count)
            for column in right.indices {
                let substitution = row[column] + (left[position] == right[column] ? 0 : 1)
                next[column + 1] = min(substitution, row[column + 1] + 1, next[column] + 1)
                if position > 0, column > 0, left[position] == right[column - 1],
                    left[position - 1] == right[column]
                {
                    next[column + 1] = min(next[column + 1], before[column - 1] + 1)
                }
            }
            (before, row) = (row, next)
        }
        return row[right.count]
    }
}
