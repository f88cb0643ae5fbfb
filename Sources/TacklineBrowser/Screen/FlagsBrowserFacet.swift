package import TacklineCore

/// An entry in a menu of filters and orders.
package enum FlagsBrowserFacet: Hashable, Sendable {
    case overridden, changedFromDefault, expired, pinned, refused
    case source(FlagSource)
    case differs(from: String)
    case control(FlagsBrowserControl.Kind)
    case order(FlagsBrowserFilter.Order)

    /// The entry's text. Its placeholder stands for ``place``.
    package var text: FlagsBrowserText {
        switch self {
        case .overridden: .overridden
        case .changedFromDefault: .notDefault
        case .expired: .expired
        case .pinned: .pinned
        case .refused: .refused
        case .source: .fromProvider
        case .differs: .differsFromProvider
        case .control(let kind): kind.title
        case .order(.declared): .inGroups
        case .order(.name): .byName
        case .order(.key): .byKey
        case .order(.lastChange): .changedLast
        }
    }

    /// The name of the source or provider, or `nil` if the entry is about none.
    package var place: String? {
        switch self {
        case .source(let source): source.title
        case .differs(let provider): provider
        default: nil
        }
    }
}

extension FlagsBrowserFilter {
    /// Whether only flags are listed to which an entry applies, or whether they have its order.
    package subscript(facet: FlagsBrowserFacet) -> Bool {
        get {
            switch facet {
            case .overridden: isOverridden
            case .changedFromDefault: isChangedFromDefault
            case .expired: isExpired
            case .pinned: isPinned
            case .refused: isRefused
            case .source(let source): sources.contains(source)
            case .differs(let provider): differsFrom.contains(provider)
            case .control(let kind): controls.contains(kind)
            case .order(let order): self.order == order
            }
        }
        set {
            func change<Value>(_ value: Value, in set: inout Set<Value>) {
                if newValue { set.insert(value) } else { set.remove(value) }
            }
            switch facet {
            case .overridden: isOverridden = newValue
            case .changedFromDefault: isChangedFromDefault = newValue
            case .expired: isExpired = newValue
            case .pinned: isPinned = newValue
            case .refused: isRefused = newValue
            case .source(let source): change(source, in: &sources)
            case .differs(let provider): change(provider, in: &differsFrom)
            case .control(let kind): change(kind, in: &controls)
            case .order(let order): self.order = newValue ? order : .declared
            }
        }
    }
}
