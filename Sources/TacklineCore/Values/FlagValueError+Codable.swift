extension FlagValueError {
    /// What an `init(from:)` threw, in our terms.
    init(_ error: any Error, decoding type: Any.Type, from root: EncodedFlagValue) {
        if let error = error as? FlagValueError {
            self = error
            return
        }
        guard let error = error as? DecodingError else {
            self.init(expected: "a value of type \(type)", found: root, detail: String(describing: error))
            return
        }
        switch error {
        case .keyNotFound(let key, let context):
            let path = context.codingPath.map(\.stringValue)
            let expected = "a member \(EncodedFlagValue.quoted(key.stringValue))"
            self.init(expected: expected, found: root.value(at: path), path: path)
        case .typeMismatch(let wanted, let context), .valueNotFound(let wanted, let context):
            self.init(context, expected: "a value of type \(wanted)", from: root)
        case .dataCorrupted(let context):
            self.init(context, expected: "a value of type \(type)", from: root)
        @unknown default:
            self.init(expected: "a value of type \(type)", found: root, detail: String(describing: error))
        }
    }

    private init(_ context: DecodingError.Context, expected: String, from root: EncodedFlagValue) {
        let path = context.codingPath.map(\.stringValue)
        if let inner = context.underlyingError as? FlagValueError {
            self = inner
            self.path = path + inner.path
        } else {
            let found = root.value(at: path)
            self.init(expected: expected, found: found, path: path, detail: context.debugDescription)
        }
    }

    /// What an `encode(to:)` threw, in our terms.
    init(_ error: any Error, encoding type: Any.Type) {
        switch error {
        case let error as FlagValueError:
            self = error
        case EncodingError.invalidValue(_, let context):
            if var inner = context.underlyingError as? FlagValueError {
                inner.path = context.codingPath.map(\.stringValue) + inner.path
                self = inner
            } else {
                let path = context.codingPath.map(\.stringValue)
                self = .encoding(type, path: path, detail: context.debugDescription)
            }
        default:
            self = .encoding(type, path: [], detail: String(describing: error))
        }
    }
}

extension EncodedFlagValue {
    /// What stands at a path, as far in as there is something.
    fileprivate func value(at path: [String]) -> EncodedFlagValue {
        var value = self
        for component in path {
            switch value {
            case .object(let members):
                guard let member = members[component] else { return value }
                value = member
            case .array(let elements):
                guard let index = Int(component), elements.indices.contains(index) else { return value }
                value = elements[index]
            default:
                return value
            }
        }
        return value
    }
}
