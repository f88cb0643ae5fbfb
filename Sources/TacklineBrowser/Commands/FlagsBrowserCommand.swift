public import TacklineCore

/// What a face of the browser asks for.
///
/// A destination is the id of the provider that is written to; `nil` is the section's default one, which is the override
/// layer where there is one.
public enum FlagsBrowserCommand: Sendable, Hashable {
    /// Sets a flag in the destination.
    case set(flag: String, to: FlagsBrowserInput, destination: String? = nil)
    /// Removes what the destination holds for a flag.
    case reset(flag: String, destination: String? = nil)
    /// Removes what the destination holds for the flags of a section or a nested collection, all those inside included.
    case resetGroup(String, destination: String? = nil)
    /// Removes what the destination holds for all flags that the browser shows.
    case resetAll(destination: String? = nil)
    /// Takes the last edit back: the destination holds again what it held before.
    ///
    /// It is the last edit of whoever asks (``FlagsBrowserRequest/author``); those who give no name count as one.
    /// If somebody else has changed it since, or the flag or the provider is gone, nothing is done. A forced undo gives back
    /// what it can all the same.
    case undo(isForced: Bool = false)
    /// Does again what the last undo took back, unless the author has made another edit since. It is refused where an undo
    /// would be.
    case redo(isForced: Bool = false)
    /// Pins a flag, or lets it go.
    case pin(flag: String, isPinned: Bool)
    /// Takes the overrides of a bundle into the destination, all or none. Flags that the browser does not show are passed
    /// over; replacing removes what the destination holds for the others that it does.
    case importBundle(String, isReplacing: Bool = false, destination: String? = nil)
    /// Asks for what the destination holds, as a bundle.
    case exportBundle(destination: String? = nil)
}

extension FlagsBrowserCommand {
    /// Whether the command only reads and changes nothing.
    public var isReading: Bool {
        if case .exportBundle = self { true } else { false }
    }
}

/// An object with the member `command` and what that needs:
///
/// ```json
/// { "command": "set", "flag": "AppFlags:attempts", "input": { "text": "5" }, "destination": "overrides" }
/// ```
///
/// The commands are `set`, `reset`, `reset-group`, `reset-all`, `undo`, `redo`, `pin`, `import-bundle` and `export-bundle`; the
/// other members `group`, `isForced`, `isPinned`, `bundle` and `isReplacing`. Truth values that are left out are false.
/// Members that are not known are passed over.
extension FlagsBrowserCommand: Codable {
    private enum CodingKeys: String, CodingKey {
        case command, flag, group, input, destination, isForced, isPinned, bundle, isReplacing
    }

    private enum Name: String, Codable {
        case set, reset, undo, redo, pin
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

    /// Writes the object.
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
        case .importBundle(let bundle, let isReplacing, let destination):
            try name(.importBundle, destination)
            try container.encode(bundle, forKey: .bundle)
            try container.encode(isReplacing, forKey: .isReplacing)
        case .exportBundle(let destination): try name(.exportBundle, destination)
        }
    }
}

extension FlagsBrowserCommand: FlagValue {}
