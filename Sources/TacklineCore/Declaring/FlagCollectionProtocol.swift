/// A struct of flags.
///
/// Its stored properties are flags (``Flag``), nested collections (``FlagCollection``), and anything else that you like,
/// which a loader passes over. A struct gets its `init()` from the compiler. Keep it a struct: a class works, but each
/// read then costs what following a reference costs.
public protocol FlagCollectionProtocol: Sendable {
    /// Makes the collection. A loader calls it once; do not read flags in it.
    init()
}
