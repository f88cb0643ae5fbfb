/// Someone who waits for notices and can be woken.
package protocol FlagWaking: AnyObject, Sendable {
    /// Lets whoever waits go on, on a thread of their own. Does nothing if nobody waits.
    func wake()
}

/// Who is to be woken once the locks are free under which a change is told.
///
/// A task that is woken under a provider's lock asks that provider at once, from another thread, and then sleeps again
/// until the lock is free: that costs several times what the wake itself does.
package struct FlagWakes: ~Copyable {
    private var waiting: [any FlagWaking] = []

    package init() {}

    package mutating func add(_ waker: any FlagWaking) {
        waiting.append(waker)
    }

    /// Wakes them all.
    package consuming func wake() {
        for waker in waiting { waker.wake() }
    }
}
