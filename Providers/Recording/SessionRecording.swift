#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif
public import TacklineCore
import TacklineFormats

// Foundation: `Data` is what files hold.

/// What a session of an app was told by its providers: a value, which is written to a file and played back by a test.
public struct SessionRecording: Sendable, Hashable {
    /// A question that was answered otherwise than before.
    public struct Step: Sendable, Hashable {
        /// When, counted from the beginning of the recording.
        public var at: Duration
        /// The name of the provider, made unique where two have the same.
        public var provider: String
        /// What was asked.
        public var key: FlagKeyPath
        /// The answer; `nil` if there was no value.
        public var value: EncodedFlagValue?

        /// Makes a step.
        public init(at: Duration, provider: String, key: FlagKeyPath, value: EncodedFlagValue?) {
            self.at = at
            self.provider = provider
            self.key = key
            self.value = value
        }
    }

    /// The steps in the order in which they happened.
    public var steps: [Step]
    /// The names of the providers, in the order in which they were recorded first.
    public var providers: [String]
    /// Whether there were more steps than the recorder keeps.
    public var isCut: Bool

    /// Makes a recording.
    public init(steps: [Step] = [], providers: [String] = [], isCut: Bool = false) {
        self.steps = steps
        self.providers = providers
        self.isCut = isCut
    }

    // MARK: JSON

    /// The recording as JSON in UTF-8, a step to each few lines, so that it can be read and edited.
    ///
    /// - Throws: ``/TacklineCore/FlagValueError`` for a value that JSON cannot hold, such as an infinity.
    public func json() throws -> Data {
        let entries = steps.map { step in
            var members: [String: EncodedFlagValue] = [
                "at": .double(step.at / .seconds(1)), "provider": .string(step.provider),
                "key": .array(step.key.components.map { .string($0) }),
            ]
            members["value"] = step.value
            return EncodedFlagValue.object(members)
        }
        let members: [String: EncodedFlagValue] = [
            "version": 1, "providers": .array(providers.map { .string($0) }), "steps": .array(entries),
            "isCut": .bool(isCut),
        ]
        return try FlagJSONWriter(layout: .pretty).data(of: .object(members))
    }

    /// Reads a recording.
    ///
    /// - Throws: ``SessionRecordingError`` with what is wrong.
    public init(json: Data) throws(SessionRecordingError) {
        let root: [String: EncodedFlagValue]
        do {
            root = try FlagDocument(json: json).root
        } catch {
            throw SessionRecordingError(reason: "\(error)")
        }
        guard root["version"] == 1, case .array(let names)? = root["providers"],
            case .array(let entries)? = root["steps"]
        else { throw SessionRecordingError(reason: "version 1, providers and steps are expected") }
        let providers = names.compactMap { try? String(encoded: $0) }
        var steps: [Step] = []
        for (index, entry) in entries.enumerated() {
            guard let step = Step(entry), providers.contains(step.provider), step.at >= steps.last?.at ?? .zero else {
                throw SessionRecordingError(
                    reason:
                        "step \(index + 1) is not a time that is not before the last one, one of the providers, and a key"
                )
            }
            steps.append(step)
        }
        self.init(steps: steps, providers: providers, isCut: root["isCut"] == true)
    }
}

extension SessionRecording.Step {
    fileprivate init?(_ entry: EncodedFlagValue) {
        guard case .object(let members) = entry, let at = members["at"].flatMap({ try? Double(encoded: $0) }),
            (0...1e9).contains(at), case .string(let provider)? = members["provider"],
            case .array(let components)? = members["key"], !components.isEmpty
        else { return nil }
        let names = components.compactMap { try? String(encoded: $0) }
        guard names.count == components.count else { return nil }
        self.init(
            at: .seconds(at), provider: provider, key: FlagKeyPath(components: names), value: members["value"])
    }
}

/// A file that is no recording.
public struct SessionRecordingError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong.
    public var reason: String

    /// For people to read.
    public var description: String { "The file is no recording of a session: \(reason)." }
}
