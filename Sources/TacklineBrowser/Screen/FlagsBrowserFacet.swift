/// An entry in a menu of filters.
package enum FlagsBrowserFacet: Hashable, Sendable {
    case overridden, changedFromDefault, expired, pinned
    case provider(String)
    case control(FlagsBrowserControl.Kind)

    /// The entry's text. Its placeholder stands for ``provider``.
    package var text: FlagsBrowserText {
        switch self {
        case .overridden: .overridden
        case .changedFromDefault: .notDefault
        case .expired: .expired
        case .pinned: .pinned
        case .provider: .fromProvider
        case .control(let kind): kind.title
        }
    }

    /// The id of the provider, or `nil` if the entry is about none.
    package var provider: String? { if case .provider(let id) = self { id } else { nil } }
}

extension FlagsBrowserFilter {
    /// Whether only flags are listed to which an entry applies.
    package subscript(facet: FlagsBrowserFacet) -> Bool {
        get {
            switch facet {
            case .overridden: isOverridden
            case .changedFromDefault: isChangedFromDefault
            case .expired: isExpired
            case .pinned: isPinned
            case .provider(let id): providers.contains(id)
            case .control(let kind): controls.contains(kind)
            }
        }
        set {
            switch facet {
            case .overridden: isOverridden = newValue
            case .changedFromDefault: isChangedFromDefault = newValue
            case .expired: isExpired = newValue
            case .pinned: isPinned = newValue
            case .provider(let id): if newValue { providers.insert(id) } else { providers.remove(id) }
            case .control(let kind): if newValue { controls.insert(kind) } else { controls.remove(kind) }
            }
        }
    }
}

extension FlagsBrowserScreen {
    /// The filters that can apply to the flags: their kinds and providers, and what is unusual about them.
    package var facets: [FlagsBrowserFacet] {
        let kinds = Set(snapshot?.flags.map(\.control.kind) ?? [])
        return [.overridden, .changedFromDefault, .expired, .pinned]
            + (snapshot?.providers.map { .provider($0.id) } ?? [])
            + FlagsBrowserControl.Kind.allCases.filter(kinds.contains).map { .control($0) }
    }
}
