import Synchronization
public import TacklineCore

/// A provider that replays a recording: it gives the values that the app read, at the moments that a test chooses.
///
/// ```swift
/// let replay = SessionReplay(try SessionRecording(json: Data(contentsOf: file)))
/// let flags = FlagsLoader(AppFlags.self, providers: [replay])
/// replay.advance(to: .seconds(5))          // what was read in the first five seconds
/// ```
///
/// Time doesn't pass by itself. At the beginning each flag has the value that it had first, since a value before that is
/// not known. It has no value for a flag that the session didn't read, or whose value could not be held.
public final class SessionReplay: FlagProvider {
    private let first: [FlagKeyPath: SessionRecording.Step]
    private let later: [SessionRecording.Step]
    private let position = Mutex(0)
    /// The values. A key of a loader finds one by its names, whatever its separator is.
    private let values = Mutex<[FlagKeyPath: EncodedFlagValue]>([:])
    /// Notifies observers.
    private let store = FlagProviderStore()

    /// Creates a replay.
    ///
    /// - Parameters:
    ///   - recording: The recording.
    ///   - subject: The subject whose values are replayed, with those that are for no subject; `nil` for those of all
    ///     subjects, in the order in which they were read.
    public init(_ recording: SessionRecording, for subject: String? = nil) {
        var first: [FlagKeyPath: SessionRecording.Step] = [:]
        var later: [SessionRecording.Step] = []
        for step in recording.steps {
            if let subject, let other = step.subject, !other.utf8.elementsEqual(subject.utf8) { continue }
            if first[step.key] == nil { first[step.key] = step } else { later.append(step) }
        }
        self.first = first
        self.later = later
        for step in first.values { play(step) }
    }

    private func play(_ step: SessionRecording.Step) {
        let old = values.withLock { values in
            defer { values[step.key] = step.value }
            return values[step.key]
        }
        store.setValue(step.value, for: step.key)
        withExtendedLifetime(old) {}
    }

    /// The moments of the changes that were not played yet, in order.
    public var moments: [Duration] {
        let position = position.withLock { $0 }
        return later[position...].map(\.at)
    }

    /// Plays everything up to a moment, counted from the beginning of the recording.
    public func advance(to moment: Duration) {
        position.withLock { position in
            while position < later.count, later[position].at <= moment {
                play(later[position])
                position += 1
            }
        }
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

    /// Returns whether the session has read a flag, so that the test and it can be compared.
    public func wasRead(_ key: FlagKeyPath) -> Bool { first[key] != nil }

    // MARK: The provider

    /// The name `session`.
    public var name: String { "session" }

    /// Returns the value of the session at this moment.
    public func value(for key: FlagKeyPath) -> EncodedFlagValue? { values.withLock { $0[key] } }

    /// Adds an observer, which is held weakly.
    public func observe(_ observer: FlagProviderObserver) -> Bool { store.observe(observer) }
}
