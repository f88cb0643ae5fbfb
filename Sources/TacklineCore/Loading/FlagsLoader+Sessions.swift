extension FlagsLoader {
    /// Begins a new session: flags with ``FlagUpdatePolicy/session`` are fixed anew at their next read.
    ///
    /// Call it where a change hurts nobody: when the app comes back to the foreground, after log-in, on the first screen.
    /// Whoever follows changes is told of exactly the flags whose value differs now. Safe from any thread; a read on
    /// another thread during the call is answered as before it or as after it.
    ///
    /// - Complexity: O(*n*) in the number of flags.
    public func beginSession() {
        loaded.beginSession()
    }
}
