/// When a newly fetched document comes into force.
public enum RemoteJSONActivation: Sendable, Hashable {
    /// As soon as it has been accepted.
    case immediate
    /// When the program is started the next time: it goes into the cache only. Without a cache it never does.
    case nextStart
    /// When ``RemoteJSONProvider/activate()`` is called. It is not kept in the cache before.
    case manual
}
