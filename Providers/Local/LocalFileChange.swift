import TacklineCore

/// A requested change of a file's values.
enum LocalFileChange {
    /// Values to set, or to remove where they are `nil`.
    case set([FlagKeyPath: EncodedFlagValue?])
    /// The removal of all values.
    case removeAll
    /// A change that depends on the present values. Making it again has no further effect.
    case edit(@Sendable (inout FlagDocument) -> Void)

    func apply(to document: inout FlagDocument) {
        switch self {
        case .set(let values): for (key, value) in values { document.setValue(value, for: key) }
        case .removeAll: document = FlagDocument()
        case .edit(let edit): edit(&document)
        }
    }

    /// Returns whether the change makes a difference to a document.
    ///
    /// - Complexity: O(*n*) in the number of values to set, or in that of all values for an edit.
    func changes(_ document: FlagDocument) -> Bool {
        switch self {
        case .set(let values): values.contains { key, value in document.value(for: key) != value }
        case .removeAll: !document.root.isEmpty
        case .edit(let edit): edited(document, edit) != document
        }
    }

    /// Makes the change in memory and notifies observers.
    func apply(to store: FlagProviderStore) -> [FlagProviderChange] {
        switch self {
        case .set(let values): store.setValues(values)
        case .removeAll: store.replaceDocument(with: FlagDocument())
        case .edit(let edit): store.replaceDocument(with: edited(store.document, edit))
        }
    }

    private func edited(_ document: FlagDocument, _ edit: (inout FlagDocument) -> Void) -> FlagDocument {
        var document = document
        edit(&document)
        return document
    }

    /// The flag and the value for an error message, if the change concerns only one flag.
    var subject: (key: FlagKeyPath?, value: EncodedFlagValue?) {
        guard case .set(let values) = self, values.count == 1, let (key, value) = values.first else {
            return (nil, nil)
        }
        return (key, value)
    }
}
