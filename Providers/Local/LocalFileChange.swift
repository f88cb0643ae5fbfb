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

    /// The flag and the value that an error is about, if there is only one.
    var subject: (key: FlagKeyPath?, value: EncodedFlagValue?) {
        guard case .set(let values) = self, values.count == 1, let (key, value) = values.first else {
            return (nil, nil)
        }
        return (key, value)
    }
}
