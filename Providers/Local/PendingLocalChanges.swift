import TacklineCore

/// Changes in memory that are not in the file yet.
///
/// Each change has a number. After a write, the numbers separate the written changes from later ones.
struct PendingLocalChanges: Sendable {
    private struct Entry {
        let value: EncodedFlagValue?
        let number: Int
    }

    private var entries: [FlagKeyPath: Entry] = [:]
    /// The edits in their order. They change other keys than the entries.
    private var edits: [(edit: @Sendable (inout FlagDocument) -> Void, number: Int)] = []
    /// The number of the last removal of all values, which precedes all entries, or `nil` if none is pending.
    private var removal: Int?
    /// The number of the last change.
    private(set) var lastNumber = 0

    var isEmpty: Bool { removal == nil && entries.isEmpty && edits.isEmpty }

    mutating func set(_ values: [FlagKeyPath: EncodedFlagValue?]) {
        lastNumber += 1
        for (key, value) in values { entries[key] = Entry(value: value, number: lastNumber) }
    }

    mutating func add(_ edit: @escaping @Sendable (inout FlagDocument) -> Void) {
        lastNumber += 1
        edits.append((edit, lastNumber))
    }

    mutating func removeAll() {
        lastNumber += 1
        removal = lastNumber
        entries = [:]
        edits = []
    }

    /// Applies the changes to a document. Applying them again has no further effect.
    func apply(to document: inout FlagDocument) {
        if removal != nil { document = FlagDocument() }
        for (key, entry) in entries { document.setValue(entry.value, for: key) }
        for (edit, _) in edits { edit(&document) }
    }

    /// Removes the changes up to a number, because the file holds them now.
    mutating func settle(upTo number: Int) {
        entries = entries.filter { $0.value.number > number }
        edits.removeAll { $0.number <= number }
        if let removal, removal <= number { self.removal = nil }
    }
}
