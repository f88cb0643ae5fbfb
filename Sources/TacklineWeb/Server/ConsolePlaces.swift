#if Web
    import Synchronization

    #if canImport(Darwin)
        import Darwin
    #elseif canImport(Musl)
        import Musl
    #elseif canImport(Glibc)
        import Glibc
    #endif

    /// The places of open connections.
    ///
    /// Whoever has shown no session yet holds a place only until somebody else needs it: when all are taken, the one of them
    /// who came first is sent away. So strangers who say nothing, or say it slowly, cannot lock out those who are signed in.
    final class ConsolePlaces: Sendable {
        private struct State {
            var lastID = 0
            /// Those who have a place, with the descriptor of their socket.
            var taken: [Int: Int32] = [:]
            /// The ids of those who have shown no session, the first first.
            var strangers: [Int] = []
        }

        private let state = Mutex(State())
        private let maximum: Int

        init(maximum: Int) {
            self.maximum = maximum
        }

        /// Gives a place to a connection that has shown no session yet.
        ///
        /// - Parameter descriptor: The one of its socket. It stays open until ``leave(_:)`` has returned.
        /// - Returns: The id of the place; `nil` if all are taken by others who have shown one.
        func enter(descriptor: Int32) -> Int? {
            state.withLock { state in
                if state.taken.count >= maximum {
                    guard let first = state.strangers.first else { return nil }
                    state.strangers.removeFirst()
                    // Under the lock, under which it would leave before it closes: the descriptor is still its own.
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

        /// Keeps the place of a connection that has shown the session.
        func keep(_ id: Int) {
            state.withLock { $0.strangers.removeAll { $0 == id } }
        }

        /// Frees a place. To be called before the socket is closed.
        func leave(_ id: Int) {
            state.withLock { state in
                state.taken[id] = nil
                state.strangers.removeAll { $0 == id }
            }
        }
    }
#endif
