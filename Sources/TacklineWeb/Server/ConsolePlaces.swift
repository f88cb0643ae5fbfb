#if Web
    import Synchronization
    import TacklineCLibrary

    /// The places of open connections.
    ///
    /// A connection that hasn't presented a session holds its place only until another one needs it: if all places are
    /// taken, the oldest such connection is closed. So clients without a session that send nothing, or send slowly,
    /// can't lock out those who are signed in.
    final class ConsolePlaces: Sendable {
        private struct State {
            var lastID = 0
            /// The socket descriptors of the connections by id.
            var taken: [Int: Int32] = [:]
            /// The ids of the connections without a session, oldest first.
            var strangers: [Int] = []
        }

        private let state = Mutex(State())
        private let maximum: Int

        init(maximum: Int) {
            self.maximum = maximum
        }

        /// Adds a connection that hasn't presented a session yet.
        ///
        /// - Parameter descriptor: The descriptor of its socket. It must stay open until ``leave(_:)`` has returned.
        /// - Returns: The id of the place, or `nil` if all places are taken by connections with a session.
        func enter(descriptor: Int32) -> Int? {
            state.withLock { state in
                if state.taken.count >= maximum {
                    guard let first = state.strangers.first else { return nil }
                    state.strangers.removeFirst()
                    // A connection leaves under this lock before it closes its socket, so the descriptor is still its
                    // own.
                    if let descriptor = state.taken.removeValue(forKey: first) {
                        _ = shutdown(descriptor, Int32(SHUT_RDWR))
                    }
                }
                state.lastID += 1
                state.taken[state.lastID] = descriptor
                state.strangers.append(state.lastID)
                return state.lastID
            }
        }

        /// Keeps the place of a connection that has presented the session.
        func keep(_ id: Int) {
            state.withLock { $0.strangers.removeAll { $0 == id } }
        }

        /// Frees a place. Call it before the socket is closed.
        func leave(_ id: Int) {
            state.withLock { state in
                state.taken[id] = nil
                state.strangers.removeAll { $0 == id }
            }
        }
    }
#endif
