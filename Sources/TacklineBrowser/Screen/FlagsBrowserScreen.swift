package import TacklineCore

/// What a screen with the browser shows and does, without any view: the list, the search, drafts, and what went wrong.
///
/// It observes nothing and is observed by nobody but ``didChange``, so that every toolkit can use it.
@MainActor
package final class FlagsBrowserScreen {
    /// The result of the last command.
    package struct Notice: Sendable, Hashable {
        package var isFailure: Bool
        package var message: String
        /// Whether an undo was refused that could be forced.
        package var canForceUndo = false
    }

    package let backend: any FlagsBrowserBackend
    /// The durability of the commands' writes.
    private let durability: FlagWriteDurability
    /// What is drawn; `nil` until it came.
    package private(set) var snapshot: FlagsBrowserSnapshot?
    /// The flags that are listed.
    package private(set) var listing: FlagsBrowserListing?
    /// The result of the last command; `nil` before the first, and once it was read.
    package private(set) var notice: Notice?
    /// Why the backend cannot be reached; `nil` if it can.
    package private(set) var disconnection: String?
    /// Called after any of it changed.
    package var didChange: (() -> Void)?
    private var search: FlagsBrowserSearch?

    /// Creates a screen.
    ///
    /// - Parameter durability: The durability of the commands' writes. Views pass
    ///   ``/TacklineCore/FlagWriteDurability/deferred``.
    package init(_ backend: any FlagsBrowserBackend, durability: FlagWriteDurability = .stored) {
        self.backend = backend
        self.durability = durability
    }

    /// What is listed. Setting it lists anew.
    package var filter = FlagsBrowserFilter() {
        didSet {
            guard filter != oldValue else { return }
            list()
            didChange?()
        }
    }

    /// The id of the provider that edits go to; `nil` for the one that each section has by default.
    package var destination: String? {
        didSet { if destination != oldValue { didChange?() } }
    }

    /// Follows the backend until the task is cancelled or the backend ends.
    package func follow() async {
        for await update in backend.updates() {
            guard !Task.isCancelled else { return }
            switch update {
            case .changed(let revision):
                disconnection = nil
                if snapshot.map({ $0.revision < revision }) ?? true { await refresh() } else { didChange?() }
            case .disconnected(let reason):
                disconnection = reason
                didChange?()
            }
        }
    }

    /// Draws what there is now.
    package func refresh() async {
        do throws(FlagsBrowserError) {
            let new = try await Self.snapshot(of: backend)
            // Of two that were on their way, the newer one stays.
            if let snapshot, new.revision < snapshot.revision { return }
            if snapshot?.flags != new.flags { search = nil }
            snapshot = new
            list()
        } catch {
            notice = Notice(isFailure: true, message: error.message)
        }
        didChange?()
    }

    /// Does a command and draws the result.
    ///
    /// - Returns: The reply; `nil` if it failed, which ``notice`` then tells.
    @discardableResult
    package func perform(_ command: FlagsBrowserCommand) async -> FlagsBrowserReply? {
        var reply: FlagsBrowserReply?
        do throws(FlagsBrowserError) {
            let done = try await backend.perform(FlagsBrowserRequest(command, durability: durability))
            notice = Notice(isFailure: false, message: done.message)
            reply = done
        } catch {
            notice = Notice(isFailure: true, message: error.message, canForceUndo: command.canBeForced(after: error))
        }
        await refresh()
        return reply
    }

    /// Says what a command would do, or why it would not.
    package func outlook(of command: FlagsBrowserCommand) async -> Notice {
        do throws(FlagsBrowserError) {
            return Notice(isFailure: false, message: try await backend.preview(command).message)
        } catch {
            return Notice(isFailure: true, message: error.message)
        }
    }

    /// Begins to edit a flag, with its value in full.
    ///
    /// - Returns: `nil` if the browser does not show it any more.
    package func draft(ofFlag id: String) async -> FlagsBrowserDraft? {
        guard let flag = snapshot?.flag(id: id) else { return nil }
        guard flag.value.isShortened, let whole = try? await backend.flag(id: id) else {
            return FlagsBrowserDraft(flag)
        }
        return FlagsBrowserDraft(whole)
    }

    /// The command that a draft comes to.
    package func command(for draft: FlagsBrowserDraft) -> FlagsBrowserCommand {
        .set(flag: draft.flag.id, to: draft.input, destination: destination)
    }

    /// Forgets the result of the last command, since it was read.
    package func dismissNotice() {
        notice = nil
        didChange?()
    }

    private func list() {
        guard let snapshot else { return }
        if !filter.text.isEmpty, search == nil { search = FlagsBrowserSearch(snapshot.flags) }
        listing = FlagsBrowserListing(of: snapshot, matching: filter, search: filter.text.isEmpty ? nil : search)
    }

    /// Away from the main actor, since providers are asked.
    @concurrent
    private nonisolated static func snapshot(
        of backend: any FlagsBrowserBackend
    ) async throws(FlagsBrowserError) -> FlagsBrowserSnapshot {
        try await backend.snapshot()
    }
}

extension FlagsBrowserCommand {
    /// Whether it is an undo that was refused and could be forced.
    fileprivate func canBeForced(after error: FlagsBrowserError) -> Bool {
        self == .undo() && [.undoConflict, .unknownFlag, .unknownDestination].contains(error.code)
    }
}
