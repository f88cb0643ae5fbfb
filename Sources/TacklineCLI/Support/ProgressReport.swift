#if CommandLine
    import Synchronization

    /// A percentage on standard error during long work, if that is a terminal. Nothing is printed in the first half
    /// second.
    final class ProgressReport: Sendable {
        private struct State {
            var next = ContinuousClock.now + .milliseconds(500)
            var isShown = false
            var count = 0
        }

        private let title: String
        private let output: CommandOutput
        private let isOn: Bool
        private let state = Mutex(State())

        init(_ title: String, output: CommandOutput = .error) {
            self.title = title
            self.output = output
            isOn = output.isTerminal
        }

        /// Reports progress. Frequent calls are cheap, since only every 64th reads the clock.
        func advance(to position: Int, of total: Int) {
            guard isOn else { return }
            let line: String? = state.withLock { state in
                state.count += 1
                guard state.count % 64 == 0, ContinuousClock.now >= state.next else { return nil }
                state.next = .now + .milliseconds(100)
                state.isShown = true
                return "\r\(title) \(position * 100 / max(1, total)) %"
            }
            if let line { try? output.write(line) }
        }

        /// Clears the percentage from its line.
        func finish() {
            guard isOn, state.withLock({ $0.isShown }) else { return }
            try? output.write("\r\u{1B}[K")
        }
    }
#endif
