import TacklineCore

/// Merges what was read from a file with what is in memory.
///
/// A format without dates holds one as text, so what is read is not always what was written. Memory keeps the value
/// that was set for as long as the file holds what became of it; otherwise reading the provider's own file would
/// announce changes that did not happen.
enum LocalDocumentMerge {
    /// Returns the document in memory after the file has changed.
    ///
    /// - Parameters:
    ///   - memory: The document in memory now.
    ///   - former: What the file held when memory was last in accord with it.
    ///   - present: What the file holds now.
    static func merge(memory: FlagDocument, former: FlagDocument, present: FlagDocument) -> FlagDocument {
        FlagDocument(merge(memory: memory.root, former: former.root, present: present.root))
    }

    private typealias Members = [String: EncodedFlagValue]

    /// Recursion is bounded by the depth that the readers accept.
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
