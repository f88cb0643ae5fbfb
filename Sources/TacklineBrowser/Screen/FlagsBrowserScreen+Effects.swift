extension FlagsBrowserScreen {
    /// Work outside of the state that an event requires.
    package enum Effect: Hashable, Sendable {
        /// Load a new snapshot.
        case fetch
        /// Load a flag with its value in full, to edit it.
        case load(flag: String)
        case preview(FlagsBrowserRequest)
        case perform(FlagsBrowserRequest)
    }

    /// A notice from the backend, or the result of an effect.
    package enum Event: Sendable {
        case update(FlagsBrowserUpdate)
        case fetched(Result<FlagsBrowserSnapshot, FlagsBrowserError>)
        case loaded(Result<FlagsBrowserFlag, FlagsBrowserError>)
        case previewed(FlagsBrowserRequest, Result<FlagsBrowserPreview, FlagsBrowserError>)
        case performed(FlagsBrowserRequest, Result<FlagsBrowserReply, FlagsBrowserError>)
    }
}

extension FlagsBrowserScreen.Effect {
    /// Carries out the effect, and returns the event that it results in.
    ///
    /// It runs off the caller's actor, because backends ask providers.
    @concurrent
    package func event(from backend: any FlagsBrowserBackend) async -> FlagsBrowserScreen.Event {
        switch self {
        case .fetch: .fetched(await result { () async throws(FlagsBrowserError) in try await backend.snapshot() })
        case .load(let flag):
            .loaded(await result { () async throws(FlagsBrowserError) in try await backend.flag(id: flag) })
        case .preview(let request):
            .previewed(
                request, await result { () async throws(FlagsBrowserError) in try await backend.preview(request) })
        case .perform(let request):
            .performed(
                request, await result { () async throws(FlagsBrowserError) in try await backend.perform(request) })
        }
    }

    private func result<Success>(
        _ body: () async throws(FlagsBrowserError) -> Success
    ) async -> Result<Success, FlagsBrowserError> {
        do throws(FlagsBrowserError) { return .success(try await body()) } catch { return .failure(error) }
    }
}
