import TacklineCore

/// A merge of the contents of a file with the document in memory.
///
/// A format without dates stores a date as text, so the values that are read can differ from those that were written.
/// Memory keeps the original value while the file holds its stored form. Otherwise, reading the provider's own file
/// would report changes that didn't happen.
enum LocalDocumentMerge {
    /// Returns the document in memory after the file has changed.
    ///
    /// - Parameters:
    ///   - memory: The document in memory now.
    ///   - former: The document that the file held when memory last matched it.
    ///   - present: The document that the file holds now.
    static func merge(memory: FlagDocument, former: FlagDocument, present: FlagDocument) -> FlagDocument {
        FlagDocument(merge(memory: memory.root, former: former.root, present: present.root))
    }

    private typealias Members = [String: EncodedFlagValue]

    /// Merges objects recursively. The depth limit of the readers bounds the recursion.
    private static func merge(memory: Members, former: Members, present: Members) -> Members {
        var merged = present
        for (name, value) in present {
            guard let kept = memory[name], let was = former[name], kept != value else { continue }
            if was == value {
                merged[name] = kept
            } else if case .object(let kept) = kept, case .object(let was) = was, case .object(let new) = value {
                merged[name] = .object(merge(memory: kept, former: was, present: new))
            }
        }
        return merged
    }
}
