#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif
public import TacklineCore

// Foundation: `Data` is the content of a file.

/// The values that an app read in a session, which are written to a file and replayed by a test.
public struct SessionRecording: Sendable, Hashable {
    /// A value that a read was given and that differs from the one before.
    public struct Step: Sendable, Hashable {
        /// The time since the beginning of the recording, in whole microseconds.
        public var at: Duration
        /// The key of the flag.
        public var key: FlagKeyPath
        /// The value, or `nil` if it can't be held: it can't be encoded, is nested too deeply, or is larger than the
        /// whole recording may be.
        public var value: EncodedFlagValue?
        /// The source of the value.
        public var source: FlagSource
        /// The subject that the value was chosen for, such as a user's targeting key; `nil` if no provider named one.
        public var subject: String?

        /// Creates a step.
        public init(
            at: Duration, key: FlagKeyPath, value: EncodedFlagValue?, source: FlagSource, subject: String? = nil
        ) {
            self.at = at.inMicroseconds
            self.key = key
            self.value = value.flatMap {
                (try? FlagJSONWriter().bytes(of: ["steps": [["value": $0]]])) == nil ? nil : $0
            }
            self.source = source
            self.subject = subject
        }
    }

    /// The steps in the order in which they happened.
    public var steps: [Step]
    /// The number of steps before them that are not there any more, because the recording was full.
    public var droppedSteps: Int

    /// Creates a recording.
    public init(steps: [Step] = [], droppedSteps: Int = 0) {
        self.steps = steps
        self.droppedSteps = droppedSteps
    }

    // MARK: JSON

    /// Returns the recording as JSON in UTF-8, which can be read and edited.
    ///
    /// A value that JSON can't hold exactly, such as an infinity or a date, is written with its kind.
    public func json() throws -> Data {
        let members: [String: EncodedFlagValue] = [
            "version": 1, "steps": .array(steps.map(\.object)), "droppedSteps": .integer(Int128(droppedSteps)),
        ]
        return try FlagJSONWriter(layout: .pretty).data(of: .object(members))
    }

    /// Reads a recording.
    ///
    /// - Throws: ``SessionRecordingError`` with the mistake.
    public init(json: Data) throws(SessionRecordingError) {
        let root: [String: EncodedFlagValue]
        do {
            root = try FlagDocument(json: json).root
        } catch {
            throw SessionRecordingError(reason: "\(error)")
        }
        guard root["version"] == 1, case .array(let entries)? = root["steps"] else {
            throw SessionRecordingError(reason: "version 1 and steps are expected")
        }
        guard let dropped = try? Int(encoded: root["droppedSteps"] ?? 0), dropped >= 0 else {
            throw SessionRecordingError(reason: "droppedSteps is not a number of steps")
        }
        var steps: [Step] = []
        for (index, entry) in entries.enumerated() {
            guard let step = Step(entry), step.at >= steps.last?.at ?? .zero else {
                let what = "a key, a source, a value, and a time that is not before the last one"
                throw SessionRecordingError(reason: "step \(index + 1) does not have \(what)")
            }
            steps.append(step)
        }
        self.init(steps: steps, droppedSteps: dropped)
    }
}

extension SessionRecording.Step {
    /// The size in a file.
    var size: Int { (try? FlagJSONWriter(layout: .compact).bytes(of: object).count) ?? 0 }

    fileprivate var object: EncodedFlagValue {
        var members: [String: EncodedFlagValue] = [
            "at": .double(at / .seconds(1)), "key": .array(key.components.map { .string($0) }),
        ]
        if let source = try? source.encoded { members["source"] = source }
        if let subject { members["subject"] = .string(subject) }
        if let value { members["value"] = value }
        return .object(members)
    }

    fileprivate init?(_ entry: EncodedFlagValue) {
        guard case .object(let members) = entry, let at = members["at"].flatMap({ try? Double(encoded: $0) }),
            (0...1e9).contains(at), case .array(let components)? = members["key"], !components.isEmpty,
            let source = members["source"].flatMap({ try? FlagSource(encoded: $0) })
        else { return nil }
        let names = components.compactMap { try? String(encoded: $0) }
        guard names.count == components.count else { return nil }
        var subject: String?
        if case .string(let text)? = members["subject"] { subject = text }
        self.init(
            at: .seconds(at), key: FlagKeyPath(components: names), value: members["value"], source: source,
            subject: subject)
    }
}

extension Duration {
    /// The duration in whole microseconds: a number that a file holds exactly, up to the thousand million seconds that
    /// are read.
    fileprivate var inMicroseconds: Duration {
        guard self >= .zero, self <= .seconds(1_000_000_000) else { return self }
        return .microseconds(Int64((self / .microseconds(1)).rounded()))
    }
}

extension FlagSource: FlagValue {}

/// An error for a file that is not a recording.
public struct SessionRecordingError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The mistake, as a sentence without a full stop.
    public var reason: String

    /// The message.
    public var description: String {
        "The file is not a recording of a session: \(reason). Name one that SessionRecorder wrote."
    }
}
