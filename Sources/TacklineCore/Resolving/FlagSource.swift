/// Where a flag's value came from.
public enum FlagSource: Sendable, Hashable {
    /// A value that holds for the current task, as tests set it.
    case scope
    /// The flag's own `computedValue` or `computed` closure.
    case computed
    /// The provider with this id.
    case provider(String)
    /// No provider had a usable value: the flag's default.
    case `default`
}

extension FlagSource: CustomStringConvertible {
    /// `scope`, `computed`, `provider "overrides"` or `default`.
    public var description: String {
        switch self {
        case .scope: "scope"
        case .computed: "computed"
        case .provider(let id): "provider \"\(id)\""
        case .default: "default"
        }
    }
}
