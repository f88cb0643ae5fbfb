public import TacklineCore

/// A command from a user interface to the browser.
///
/// A destination is the id of the provider to write to. If it is `nil`, the command uses the section's default
/// destination, which is the override layer if there is one.
public enum FlagsBrowserCommand: Sendable, Hashable {
    /// Sets a flag in the destination.
    case set(flag: String, to: FlagsBrowserInput, destination: String? = nil)
    /// Removes the value of a flag from the destination.
    case reset(flag: String, destination: String? = nil)
    /// Removes the values of the flags in a section or a nested collection, including those nested inside it, from the
    /// destination.
    case resetGroup(String, destination: String? = nil)
    /// Removes the values of all flags that the browser shows from the destination.
    case resetAll(destination: String? = nil)
    /// Undoes the last edit, so that the destination holds again what it held before.
    ///
    /// It is the last edit of the request's author (``FlagsBrowserRequest/author``); all requests without an author
    /// count as one author. The undo is refused if somebody else has changed the value since, or if the flag or the
    /// provider no longer exists. A forced undo restores whatever it can.
    case undo(isForced: Bool = false)
    /// Redoes the edit of the last undo, unless the author has made another edit since. It is refused under the same
    /// conditions as an undo.
    case redo(isForced: Bool = false)
    /// Pins or unpins a flag.
    case pin(flag: String, isPinned: Bool)
    /// Releases the values of a flag that the launch guard of its loader holds back.
    case release(flag: String)
    /// Writes the overrides of a bundle to the destination, either all or none. Flags that the browser doesn't show are
    /// ignored. If `isReplacing` is true, the values of all other flags that the browser shows are removed from the
    /// destination.
    case importBundle(String, isReplacing: Bool = false, destination: String? = nil)
    /// Returns the values that the destination holds, as a bundle.
    case exportBundle(destination: String? = nil)
}

extension FlagsBrowserCommand {
    /// Whether the command only reads and changes nothing.
    public var isReading: Bool {
        if case .exportBundle = self { true } else { false }
    }
}

/// A JSON object with the member `command` and the members that the command needs:
///
/// ```json
/// { "command": "set", "flag": "AppFlags:attempts", "input": { "text": "5" }, "destination": "overrides" }
/// ```
///
/// The commands are `set`, `reset`, `reset-group`, `reset-all`, `undo`, `redo`, `pin`, `release`, `import-bundle` and
/// `export-bundle`. The other members are `group`, `isForced`, `isPinned`, `bundle` and `isReplacing`. A missing
/// Boolean is false. Unknown members are ignored.
extension FlagsBrowserCommand: Codable {
    private enum CodingKeys: String, CodingKey {
        case command, flag, group, input, destination, isForced, isPinned, bundle, isReplacing
    }

    private enum Name: String, Codable {
        case set, reset, undo, redo, pin, release
        case resetGroup = "reset-group"
        case resetAll = "reset-all"
        case importBundle = "import-bundle"
        case exportBundle = "export-bundle"
    }

    /// Reads what ``encode(to:)`` writes.
    ///
    /// - Throws: `DecodingError` if the command is not known or a member is missing or of the wrong type.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func text(_ key: CodingKeys) throws -> String { try container.decode(String.self, forKey: key) }
        func isTrue(_ key: CodingKeys) throws -> Bool { try container.decodeIfPresent(Bool.self, forKey: key) ?? false }
        let destination = try container.decodeIfPresent(String.self, forKey: .destination)
        let name = try text(.command)
        switch Name(rawValue: name) {
        case .set:
            let input = try container.decode(FlagsBrowserInput.self, forKey: .input)
            self = .set(flag: try text(.flag), to: input, destination: destination)
        case .reset: self = .reset(flag: try text(.flag), destination: destination)
        case .resetGroup: self = .resetGroup(try text(.group), destination: destination)
        case .resetAll: self = .resetAll(destination: destination)
        case .undo: self = .undo(isForced: try isTrue(.isForced))
        case .redo: self = .redo(isForced: try isTrue(.isForced))
        case .pin: self = .pin(flag: try text(.flag), isPinned: try isTrue(.isPinned))
        case .release: self = .release(flag: try text(.flag))
        case .importBundle:
            self = .importBundle(
                try text(.bundle), isReplacing: try isTrue(.isReplacing), destination: destination)
        case .exportBundle: self = .exportBundle(destination: destination)
        case nil:
            throw DecodingError.dataCorruptedError(
                forKey: .command, in: container,
                debugDescription: "the command \(EncodedFlagValue.string(name)) is not known")
        }
    }

    /// Writes the command as a JSON object.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        func name(_ name: Name, _ destination: String?) throws {
            try container.encode(name, forKey: .command)
            try container.encodeIfPresent(destination, forKey: .destination)
        }
        switch self {
        case .set(let flag, let input, let destination):
            try name(.set, destination)
            try container.encode(flag, forKey: .flag)
            try container.encode(input, forKey: .input)
        case .reset(let flag, let destination):
            try name(.reset, destination)
            try container.encode(flag, forKey: .flag)
        case .resetGroup(let group, let destination):
            try name(.resetGroup, destination)
            try container.encode(group, forKey: .group)
        case .resetAll(let destination): try name(.resetAll, destination)
        case .undo(let isForced):
            try name(.undo, nil)
            try container.encode(isForced, forKey: .isForced)
        case .redo(let isForced):
            try name(.redo, nil)
            try container.encode(isForced, forKey: .isForced)
        case .pin(let flag, let isPinned):
            try name(.pin, nil)
            try container.encode(flag, forKey: .flag)
            try container.encode(isPinned, forKey: .isPinned)
        case .release(let flag):
            try name(.release, nil)
            try container.encode(flag, forKey: .flag)
        case .importBundle(let bundle, let isReplacing, let destination):
            try name(.importBundle, destination)
            try container.encode(bundle, forKey: .bundle)
            try container.encode(isReplacing, forKey: .isReplacing)
        case .exportBundle(let destination): try name(.exportBundle, destination)
        }
    }
}

extension FlagsBrowserCommand: FlagValue {}

extension FlagsBrowserCommand: ReflectedAsDescription {
    /// The command's name, what it applies to, and its destination. Values and bundles are left out, since flags may be
    /// secret.
    public var description: String {
        func text(_ name: Name, _ subject: String? = nil, _ destination: String? = nil) -> String {
            name.rawValue + (subject.map { " \($0.quoted)" } ?? "") + (destination.map { " in \($0.quoted)" } ?? "")
        }
        return switch self {
        case .set(let flag, _, let destination): text(.set, flag, destination)
        case .reset(let flag, let destination): text(.reset, flag, destination)
        case .resetGroup(let group, let destination): text(.resetGroup, group, destination)
        case .resetAll(let destination): text(.resetAll, nil, destination)
        case .undo: text(.undo)
        case .redo: text(.redo)
        case .pin(let flag, let isPinned): "\(isPinned ? "" : "un")\(text(.pin, flag))"
        case .release(let flag): text(.release, flag)
        case .importBundle(_, _, let destination): text(.importBundle, nil, destination)
        case .exportBundle(let destination): text(.exportBundle, nil, destination)
        }
    }
}
