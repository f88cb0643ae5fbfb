/// What a backend tells its faces.
public enum FlagsBrowserUpdate: Sendable, Hashable {
    /// Something may have changed, so faces should ask for a new snapshot. Also sent when a lost connection is back.
    case changed(revision: Int)
    /// The backend cannot be reached at present, for this reason, and is trying to.
    case disconnected(reason: String)
}
