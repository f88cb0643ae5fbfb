import Synchronization
import TacklineCore

extension FlagsBrowser {
    /// Performs a command. Edits are performed one after the other.
    ///
    /// - Parameter author: The name of the person who makes the edit, for the list of changes, or `nil` for none.
    /// - Throws: ``FlagsBrowserError``. Nothing has changed then, unless the message says otherwise.
    @discardableResult
    package func perform(
        _ command: FlagsBrowserCommand, by author: String? = nil
    ) async throws(FlagsBrowserError) -> FlagsBrowserReply {
        let (done, newest) = try await turns.take { [self] () throws(FlagsBrowserError) in
            // Changes before the edit are not attributed to this author.
            noticeChanges()
            let newest = state.withLock { $0.newestChange }
            return (try execute(command), newest)
        }
        var reply = done
        if !command.isReading {
            // Another thread may be inspecting flags that this edit changed.
            for collector in collectors { await collector.settle() }
            noticeChanges()
        }
        reply.revision = state.withLock { state in
            guard !command.isReading else { return state.revision }
            if let author = author?.asAuthor { state.attribute(to: author, flags: Set(done.flags), after: newest) }
            // Not every write is announced, such as one of another time at which a value expires.
            for flag in done.flags { state.seen[flag] = nil }
            // A write of a value that doesn't win changes no flag, but it changes the snapshot.
            state.raiseRevision()
            return state.revision
        }
        return reply
    }

    private func execute(_ command: FlagsBrowserCommand) throws(FlagsBrowserError) -> FlagsBrowserReply {
        let plan = try plan(for: command)
        switch command {
        case .exportBundle(let destination): return try exportBundle(destination: destination)
        case .release(let flag): try release(flag)
        default: break
        }
        let before = try write(plan.writes)
        let undo = zip(before, plan.writes).filter { !$0.isSame(as: $1) }.map { FlagsBrowserHeldValue($0.0) }
        let isComplete = undo.allSatisfy { $0.value == nil || $0.value?.encoded != nil }
        return FlagsBrowserReply(
            message: plan.done, flags: plan.writes.map(\.target.id),
            undo: undo.isEmpty || !isComplete ? nil : .restore(values: undo))
    }

    private func release(_ flag: String) throws(FlagsBrowserError) {
        let target = try editableTarget(flag: flag)
        guard let launchGuard = target.layout.core.installedChain.launchGuard else { return }
        do throws(FlagError) {
            for step in target.entry.handle.explain().providers where step.refusal?.isHeldBack == true {
                if let provider = step.provider { try launchGuard.release(provider) }
            }
        } catch {
            throw FlagsBrowserError(.writeFailed, "Flag \(target.quotedKey) is released for now. \(error)")
        }
    }
}

extension FlagsBrowserHeldValue {
    /// Creates what a provider held from the write that puts it back.
    fileprivate init(_ write: BrowserWrite) {
        self.init(
            flag: write.target.id, destination: write.destination.id,
            value: write.value.map { FlagsBrowserValue($0, limit: .max, isSecret: write.target.isSecret) },
            expires: write.expires)
    }
}

extension String {
    /// The text as a name that is safe to show anywhere: escaped, trimmed, and shortened if it is long. It is `nil` if
    /// nothing is left.
    fileprivate var asAuthor: String? {
        let words = quoted.dropFirst().dropLast().split(separator: " ").joined(separator: " ")
        let limit = 60
        return words.isEmpty ? nil : words.count > limit ? words.prefix(limit - 1) + "…" : words
    }
}

/// Serializes edits, so that no other edit changes the values that an edit reads and writes.
///
/// It is an actor and not a lock, because it runs code of providers.
actor EditingTurns {
    func take<Result: Sendable>(
        _ body: @Sendable () throws(FlagsBrowserError) -> Result
    ) throws(FlagsBrowserError) -> Result {
        try body()
    }
}
