#if CommandLine
    /// Finds the key that was probably meant.
    struct KeySuggestion {
        /// The keys that exist, each as Unicode scalars.
        private let keys: [(text: String, scalars: [Unicode.Scalar])]

        /// Longer keys are not compared: the work grows with the product of the lengths.
        private static let lengthLimit = 128
        private static let keyLimit = 5_000

        init(_ keys: some Sequence<String>) {
            self.keys = keys.prefix(Self.keyLimit).map { ($0, Array($0.unicodeScalars)) }
                .filter { $0.scalars.count <= Self.lengthLimit }
        }

        /// The nearest key by the number of insertions, deletions and replacements (V. I. Levenshtein, 1965); `nil` if
        /// none is near.
        func nearest(to key: String) -> String? {
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

        /// "; did you mean "a"?" or the advice that stands in for it.
        func advice(for key: String, otherwise advice: String) -> String {
            nearest(to: key).map { "did you mean \"\($0)\"?" } ?? advice
        }

        private static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
            var row = Array(0...right.count)
            for (position, scalar) in left.enumerated() {
                var diagonal = row[0]
                row[0] = position + 1
                for column in right.indices {
                    let substitution = diagonal + (right[column] == scalar ? 0 : 1)
                    diagonal = row[column + 1]
                    row[column + 1] = min(substitution, diagonal + 1, row[column] + 1)
                }
            }
            return row[right.count]
        }
    }
#endif
