import Synchronization
import TacklineCore

/// A search for the key that was probably meant.
package final class KeySuggestion: Sendable {
    /// The number of letters that one or more suggestions may still compare with others: a document may cause any number
    /// of searches. When it is used up, no key is suggested.
    package final class Budget: Sendable {
        fileprivate let remaining = Mutex(1_000_000)

        package init() {}
    }

    private let keys: [String]
    private let budget: Budget

    package init(_ keys: some Sequence<String>, budget: Budget = Budget()) {
        self.keys = Array(keys)
        self.budget = budget
    }

    /// Returns the nearest key by the number of insertions, deletions, replacements and exchanges of neighbours
    /// (optimal string alignment, after F. J. Damerau, 1964); `nil` if none is near, or the budget is used up.
    package func nearest(to key: String) -> String? {
        let wanted = Array(key.unicodeScalars.prefix(129))
        guard !wanted.isEmpty, wanted.count <= 128 else { return nil }
        return budget.remaining.withLock { remaining in
            var best: (distance: Int, key: String)?
            let limit = max(1, wanted.count / 3)
            for key in keys where abs(key.utf8.count - wanted.count) <= 4 * wanted.count {
                let scalars = Array(key.unicodeScalars)
                remaining -= 1 + scalars.count * (abs(scalars.count - wanted.count) > limit ? 1 : wanted.count)
                guard remaining > 0 else { return nil }
                guard abs(scalars.count - wanted.count) <= limit else { continue }
                let distance = Self.distance(wanted, scalars)
                // Of equally near keys the first one in order, so that the answer is always the same.
                guard distance <= limit, best.map({ (distance, key) < $0 }) ?? true else { continue }
                best = (distance, key)
            }
            return best?.key
        }
    }

    /// Returns a question whether the nearest key was meant, or `advice` if no key is near.
    package func advice(for key: String, otherwise advice: String) -> String {
        nearest(to: key).map { "did you mean \($0.quoted)?" } ?? advice
    }

    private static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
        var row = Array(0...right.count)
        var (before, next) = (row, row)
        for position in left.indices {
            next[0] = position + 1
            for column in right.indices {
                let substitution = row[column] + (left[position] == right[column] ? 0 : 1)
                var cell = min(substitution, row[column + 1] + 1, next[column] + 1)
                if position > 0, column > 0, left[position] == right[column - 1], left[position - 1] == right[column] {
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
    /// The text in quotation marks, as messages show names: without control characters, and cut after 80 scalars.
    package var quoted: String { EncodedFlagValue.quoted(self) }
}
