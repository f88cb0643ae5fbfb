private import Synchronization

/// Replies that are given in order; the last one again and again.
final class LoopbackReplyQueue: Sendable {
    private let replies: [LoopbackReply]
    private let position = Mutex(0)

    init(_ replies: [LoopbackReply]) {
        self.replies = replies
    }

    func next() -> LoopbackReply {
        guard let last = replies.last else {
            return .response(.text("This loopback server was made without replies.\n", status: 500))
        }
        return position.withLock { position in
            guard position < replies.count else { return last }
            defer { position += 1 }
            return replies[position]
        }
    }
}
