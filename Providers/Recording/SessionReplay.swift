import Synchronization
public import TacklineCore

/// Plays a recording back: providers that say again what those of the session said, at the moments that a test chooses.
///
/// ```swift
/// let replay = SessionReplay(try SessionRecording(json: Data(contentsOf: file)))
/// let flags = FlagsLoader(AppFlags.self, providers: ProviderChain(replay.providers))
/// replay.advance(to: .seconds(5))          // what was told in the first five seconds
/// ```
///
/// Time does not pass by itself. At the beginning each question has the answer that it had first, since nobody knows what it would
/// have been before.
public final class SessionReplay: Sendable {
    /// The providers of the session, in the order in which they were recorded first.
    public let providers: [ReplayedProvider]
    private let later: [SessionRecording.Step]
    private let position = Mutex(0)

    /// Begins to play a recording back.
    public init(_ recording: SessionRecording) {
        var first: [String: [FlagKeyPath: EncodedFlagValue?]] = [:]
        var later: [SessionRecording.Step] = []
        for step in recording.steps {
            if first[step.provider]?[step.key] == nil {
                first[step.provider, default: [:]][step.key] = .some(step.value)
            } else {
                later.append(step)
            }
        }
        self.later = later
        providers = recording.providers.map { ReplayedProvider(name: $0, answers: first[$0] ?? [:]) }
    }

    /// The provider of a name.
    public func provider(named name: String) -> ReplayedProvider? { providers.first { $0.name == name } }

    /// When answers change that were not played yet, in order.
    public var moments: [Duration] {
        let position = position.withLock { $0 }
        return later[position...].map(\.at)
    }

    /// Plays everything up to a moment, counted from the beginning of the recording.
    public func advance(to moment: Duration) {
        play { $0.at <= moment }
    }

    /// Plays the next change, with all of the same moment.
    ///
    /// - Returns: Its moment, or `nil` if there was none.
    @discardableResult
    public func advance() -> Duration? {
        guard let moment = moments.first else { return nil }
        advance(to: moment)
        return moment
    }

    private func play(while isDue: (SessionRecording.Step) -> Bool) {
        position.withLock { position in
            while position < later.count, isDue(later[position]) {
                let step = later[position]
                position += 1
                provider(named: step.provider)?.answer(step.value, for: step.key)
            }
        }
    }
}

/// A provider that says what one said in a recorded session. It has no value for what was not asked there.
public final class ReplayedProvider: FlagProvider {
    /// The name of the provider in the recording.
    public let name: String
    private let answers: Mutex<[FlagKeyPath: EncodedFlagValue?]>
    private let store = FlagProviderStore()

    init(name: String, answers: [FlagKeyPath: EncodedFlagValue?]) {
        self.name = name
        self.answers = Mutex(answers)
        for (key, value) in answers { store.setValue(value, for: Self.flat(key)) }
    }

    /// As one flat key, since answers to different questions do not depend on each other.
    private static func flat(_ key: FlagKeyPath) -> FlagKeyPath { FlagKeyPath(components: [key.text]) }

    func answer(_ value: EncodedFlagValue?, for key: FlagKeyPath) {
        answers.withLock { $0[key] = .some(value) }
        store.setValue(value, for: Self.flat(key))
    }

    /// Whether the session has asked for a key, so that the test and it can be compared.
    public func wasAsked(for key: FlagKeyPath) -> Bool { answers.withLock { $0[key] != nil } }

    /// The answer of the session at this moment.
    public func value(for key: FlagKeyPath) -> EncodedFlagValue? { store.value(for: Self.flat(key)) }

    /// Takes an observer, held weakly, which is told what is played.
    public func observe(_ observer: FlagProviderObserver) -> Bool { store.observe(observer) }
}
