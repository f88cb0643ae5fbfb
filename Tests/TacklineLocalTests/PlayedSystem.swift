import Foundation
import Synchronization
import TacklineFiles
import Testing

@testable import TacklineLocal

/// Plays a system that suspends processes: it answers as the test says, and runs blocks on threads of its own.
final class PlayedSystem: Sendable {
    private struct State {
        var isSuspending = false
        var blocks: [@Sendable (Bool) -> Void] = []
    }

    private let state = Mutex(State())
    /// An element for each piece of work that was granted, and for each after which the process may be suspended.
    let (begins, hasBegun) = AsyncStream.makeStream(of: Void.self)
    let (ends, hasEnded) = AsyncStream.makeStream(of: Void.self)

    var settings: LocalProvider.Settings {
        var settings = LocalProvider.Settings(lockTimeLimit: .seconds(3600))
        settings.suspension = { self.perform($0, $1) }
        return settings
    }

    /// From now on there is no time for further work.
    func refuse() { state.withLock { $0.isSuspending = true } }

    /// From now on there is time again.
    func resume() { state.withLock { $0.isSuspending = false } }

    /// Ends the time of all work that is under way, and returns when the process can be suspended.
    func suspend() {
        let blocks = state.withLock { state in
            state.isSuspending = true
            defer { state.blocks = [] }
            return state.blocks
        }
        for block in blocks { block(true) }
    }

    private func perform(_ reason: String, _ block: @escaping @Sendable (Bool) -> Void) {
        #expect(!reason.isEmpty)
        let isGranted = state.withLock { state in
            if !state.isSuspending { state.blocks.append(block) }
            return !state.isSuspending
        }
        if isGranted { hasBegun.yield() }
        Thread.detachNewThread { [self] in
            block(!isGranted)
            hasEnded.yield()
        }
    }
}
