import TacklineCore

/// What a caller wants to be changed.
enum LocalFileChange {
    /// Values to set, and to remove where they are `nil`.
    case set([FlagKeyPath: EncodedFlagValue?])
    /// Everything is to be removed.
    case removeAll

    func apply(to document: inout FlagDocument) {
        switch self {
        case .set(let values): for (key, value) in values { document.setValue(value, for: key) }
        case .removeAll: document = FlagDocument()
        }
    }

    /// Whether the change makes a difference to a document.
    ///
    /// - Complexity: O(*n*) in the number of values to set.
    func changes(_ document: FlagDocument) -> Bool {
        switch self {
        case .set(let values): values.contains { key, value in document.value(for: key) != value }
        case .removeAll: !document.root.isEmpty
        }
    }

    /// Makes the change in memory and announces it.
    func apply(to store: FlagProviderStore) -> [FlagProviderChange] {
        switch self {
        case .set(let values): store.setValues(values)
        case .removeAll: store.replaceDocument(with: FlagDocument())
        }
    }

    /// The flag and the value that an error is about, if there is only one.
    var subject: (key: FlagKeyPath?, value: EncodedFlagValue?) {
        guard case .set(let values) = self, values.count == 1, let (key, value) = values.first else {
            return (nil, nil)
        }
        return (key, value)
    }
}
