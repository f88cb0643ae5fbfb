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

    /// A new revision of the browser, or the result of an effect.
    package enum Event: Sendable {
        case changed(revision: Int)
        case fetched(FlagsBrowserSnapshot)
        case loaded(Result<FlagsBrowserFlag, FlagsBrowserError>)
        case previewed(FlagsBrowserRequest, Result<FlagsBrowserPreview, FlagsBrowserError>)
        case performed(FlagsBrowserRequest, Result<FlagsBrowserReply, FlagsBrowserError>)
    }
}

extension FlagsBrowserScreen.Effect {
    /// Carries out the effect, and returns the event that it results in.
    ///
    /// It runs off the caller's actor, because the browser asks providers.
    @concurrent
    package func event(from browser: FlagsBrowser) async -> FlagsBrowserScreen.Event {
        switch self {
        case .fetch: .fetched(browser.snapshot())
        case .load(let flag):
            .loaded(await result { () async throws(FlagsBrowserError) in try browser.flag(id: flag) })
        case .preview(let request):
            .previewed(request, await result { () async throws(FlagsBrowserError) in try browser.preview(request) })
        case .perform(let request):
            .performed(
                request, await result { () async throws(FlagsBrowserError) in try await browser.perform(request) })
        }
    }

    private func result<Success>(
        _ body: () async throws(FlagsBrowserError) -> Success
    ) async -> Result<Success, FlagsBrowserError> {
        do throws(FlagsBrowserError) { return .success(try await body()) } catch { return .failure(error) }
    }
}
