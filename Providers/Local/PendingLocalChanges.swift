import TacklineCore

/// Changes that are in memory and not yet in the file.
///
/// Each has a number, so that after a write the ones that it took can be told from those that came meanwhile.
struct PendingLocalChanges: Sendable {
    private struct Entry {
        let value: EncodedFlagValue?
        let number: Int
    }

    private var entries: [FlagKeyPath: Entry] = [:]
    /// The number of the last removal of everything, which came before all entries; `nil` if none is pending.
    private var removal: Int?
    /// The number of the last change.
    private(set) var lastNumber = 0

    var isEmpty: Bool { removal == nil && entries.isEmpty }

    mutating func set(_ values: [FlagKeyPath: EncodedFlagValue?]) {
        lastNumber += 1
        for (key, value) in values { entries[key] = Entry(value: value, number: lastNumber) }
    }

    mutating func removeAll() {
        lastNumber += 1
        removal = lastNumber
        entries = [:]
    }

    /// Applies the changes to a document. Applying them again has no further effect.
    func apply(to document: inout FlagDocument) {
        if removal != nil { document = FlagDocument() }
        for (key, entry) in entries { document.setValue(entry.value, for: key) }
    }

    /// Forgets the changes up to a number, which are in the file now.
    mutating func settle(upTo number: Int) {
        entries = entries.filter { $0.value.number > number }
        if let removal, removal <= number { self.removal = nil }
    }
}
