import Synchronization
import TacklineLoopback

/// Replies one after the other, and then the last one for ever.
final class Replies: Sendable {
    private let rest: Mutex<[LoopbackReply]>

    init(_ replies: [LoopbackReply]) {
        rest = Mutex(replies)
    }

    func next() -> LoopbackReply {
        rest.withLock { rest in
            rest.count > 1 ? rest.removeFirst() : rest.first ?? .response(LoopbackResponse(status: 500))
        }
    }
}
