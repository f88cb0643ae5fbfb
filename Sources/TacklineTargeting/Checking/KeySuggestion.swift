import Synchronization

/// A search for the key that was probably meant.
///
/// It builds its index at the first search. All searches draw on a budget, since a document may cause any number of
/// them. When the budget is used up, no key is suggested.
package final class KeySuggestion: Sendable {
    /// The number of steps that searches may still take, for one or more suggestions. A step is a key that is compared,
    /// or a cell of a table of distances.
    package final class Budget: Sendable {
        fileprivate let remaining: Mutex<Int>

        package init(steps: Int = 2_000_000) { remaining = Mutex(steps) }
    }

    private struct Key {
        let text: String
        let scalars: [Unicode.Scalar]
        /// A bit for each scalar that occurs, selected by its last six bits: an edit changes at most two of them.
        let mask: UInt64
    }

    private enum Index {
        case keys([String])
        case ready([Key])
    }

    private let index: Mutex<Index>
    private let budget: Budget

    /// The maximum length of a key in Unicode scalars. Longer keys are not compared, since the work grows with the
    /// product of the lengths.
    private static let lengthLimit = 128
    private static let keyLimit = 5_000

    package init(_ keys: some Sequence<String>, budget: Budget = Budget()) {
        index = Mutex(.keys(Array(keys.prefix(Self.keyLimit))))
        self.budget = budget
    }

    /// Returns the nearest key by the number of insertions, deletions, replacements and exchanges of neighbours
    /// (optimal string alignment, after F. J. Damerau, 1964); `nil` if none is near, or the budget is used up.
    package func nearest(to key: String) -> String? {
        let wanted = Self.key(key)
        guard let wanted, !wanted.scalars.isEmpty else { return nil }
        return budget.remaining.withLock { remaining in
            guard remaining > 0 else { return nil }
            let keys = readyKeys(&remaining)
            remaining -= keys.count
            var limit = max(1, wanted.scalars.count / 3)
            var best: String?
            for key in keys where abs(key.scalars.count - wanted.scalars.count) <= limit {
                guard (key.mask ^ wanted.mask).nonzeroBitCount <= 2 * limit else { continue }
                remaining -= wanted.scalars.count * (2 * limit + 1)
                guard remaining > 0 else { return nil }
                let distance = Self.distance(wanted.scalars, key.scalars, limit: limit)
                if distance < limit || distance == limit && best == nil {
                    limit = distance
                    best = key.text
                }
            }
            return best
        }
    }

    /// Returns a question whether the nearest key was meant, or `advice` if no key is near.
    package func advice(for key: String, otherwise advice: String) -> String {
        nearest(to: key).map { "did you mean \($0.quoted)?" } ?? advice
    }

    private func readyKeys(_ remaining: inout Int) -> [Key] {
        index.withLock { index in
            switch index {
            case .ready(let keys): return keys
            case .keys(let texts):
                let keys = texts.compactMap { Self.key($0) }
                remaining -= keys.reduce(0) { $0 + $1.scalars.count }
                index = .ready(keys)
                return keys
            }
        }
    }

    /// Returns `nil` for a text that is too long to be compared.
    private static func key(_ text: String) -> Key? {
        guard text.utf8.count <= 4 * lengthLimit else { return nil }
        let scalars = Array(text.unicodeScalars)
        guard scalars.count <= lengthLimit else { return nil }
        return Key(text: text, scalars: scalars, mask: scalars.reduce(0) { $0 | 1 << UInt64($1.value & 63) })
    }

    /// Returns the distance, or more than `limit` if it is greater. Only cells near the diagonal are computed.
    private static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar], limit: Int) -> Int {
        let far = limit + 1
        var before = [Int](repeating: far, count: right.count + 1)
        var row = Array(0...right.count)
        var next = before
        for position in left.indices {
            let first = max(0, position - limit)
            let end = min(right.count, position + limit + 1)
            guard first < end else { return far }
            next[first] = first == 0 ? position + 1 : far
            for column in first..<end {
                let substitution = row[column] + (left[position] == right[column] ? 0 : 1)
                // The cell above was not computed.
                let deletion = column == position + limit ? far : row[column + 1] + 1
                var cell = min(substitution, deletion, next[column] + 1)
                if position > 0, column > 0, left[position] == right[column - 1],
                    left[position - 1] == right[column]
                {
                    cell = min(cell, before[column - 1] + 1)
                }
                next[column + 1] = cell
            }
            (before, row, next) = (row, next, before)
        }
        return row[right.count]
    }
}

extension String {
    /// The text in quotation marks, as messages show names. A text of more than 80 scalars is cut.
    package var quoted: String {
        let limit = 80
        guard utf8.count > limit else { return "\"\(self)\"" }
        let scalars = unicodeScalars.prefix(limit)
        return scalars.endIndex == unicodeScalars.endIndex ? "\"\(self)\"" : "\"\(String(scalars))…\""
    }
}
