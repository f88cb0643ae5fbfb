import TacklineBrowser

/// A line of the menu of filters.
enum BrowserFilterEntry: Hashable, Sendable {
    case overridden, changedFromDefault, expired, pinned
    case provider(String)
    case control(FlagsBrowserControl.Kind)

    /// The filters that make sense for what is there.
    static func entries(of snapshot: FlagsBrowserSnapshot?) -> [BrowserFilterEntry] {
        let kinds = Set(snapshot?.flags.map(\.control.kind) ?? [])
        return [.overridden, .changedFromDefault, .expired, .pinned]
            + (snapshot?.providers.map { .provider($0.id) } ?? [])
            + FlagsBrowserControl.Kind.allCases.filter(kinds.contains).map { .control($0) }
    }

    var title: String {
        switch self {
        case .overridden: "overridden"
        case .changedFromDefault: "changed from default"
        case .expired: "expired"
        case .pinned: "pinned"
        case .provider(let id): "from \(id)"
        case .control(.toggle): "switches"
        case .control(.integer): "whole numbers"
        case .control(.number): "numbers"
        case .control(.text): "texts"
        case .control(.choice): "choices"
        case .control(.date): "dates"
        case .control(.json): "JSON"
        }
    }

    func isOn(in filter: FlagsBrowserFilter) -> Bool {
        switch self {
        case .overridden: filter.isOverridden
        case .changedFromDefault: filter.isChangedFromDefault
        case .expired: filter.isExpired
        case .pinned: filter.isPinned
        case .provider(let id): filter.providers.contains(id)
        case .control(let kind): filter.controls.contains(kind)
        }
    }

    func toggle(in filter: inout FlagsBrowserFilter) {
        switch self {
        case .overridden: filter.isOverridden.toggle()
        case .changedFromDefault: filter.isChangedFromDefault.toggle()
        case .expired: filter.isExpired.toggle()
        case .pinned: filter.isPinned.toggle()
        case .provider(let id): filter.providers.formSymmetricDifference([id])
        case .control(let kind): filter.controls.formSymmetricDifference([kind])
        }
    }
}
