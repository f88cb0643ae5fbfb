/// What a browser may do.
public enum FlagsBrowserAccess: Sendable, Hashable {
    /// It shows and edits. In production it only shows, unless the loaders' environment admits overrides there.
    case full
    /// It only shows.
    case readOnly
    /// It shows and edits, also where customers use the program. Search for the name to find every such place.
    case dangerouslyEditingInProduction
}
