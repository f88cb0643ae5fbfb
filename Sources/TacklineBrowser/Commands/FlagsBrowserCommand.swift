package import TacklineFoundation
import TacklineCore

// Foundation: `Date`.

/// A command from a user interface to the browser.
///
/// A destination is the id of the provider to write to. If it is `nil`, the command uses the section's default
/// destination, which is the override layer if there is one. The last writer wins.
package enum FlagsBrowserCommand: Sendable, Hashable, Codable {
    /// Sets a flag in the destination.
    ///
    /// - `text`: A text that the flag's type reads: `true`, `5`, `2026-11-21T08:00:00Z`, JSON. Whitespace around it is
    ///   ignored unless the flag's value is a text. An option of a choice may also be given by its label. `nil` is "no
    ///   value", which optional flags accept.
    /// - `expires`: The time at which the value expires, or `nil` if it never does. The destination must be able to
    ///   store it.
    case set(flag: String, text: String?, destination: String? = nil, expires: Date? = nil)
    /// Removes the value of a flag from the destination.
    case reset(flag: String, destination: String? = nil)
    /// Removes the values of all flags that the browser shows, or of those in a section or a nested collection and all
    /// inside it, from the destination, either all or none.
    case resetAll(group: String? = nil, destination: String? = nil)
    /// Releases the values of a flag that the launch guard of its loader holds back.
    case release(flag: String)
    /// Writes the overrides of a bundle to the destination, either all or none. Flags that the browser doesn't show are
    /// ignored. If `isReplacing` is true, the values of all other flags that the browser shows are removed from the
    /// destination.
    case importBundle(bundle: String, isReplacing: Bool = false, destination: String? = nil)
    /// Returns the values that the destination holds, as a bundle.
    case exportBundle(destination: String? = nil)
    /// Puts back what providers held before a command, either all or none. It comes in ``FlagsBrowserReply/undo``.
    case restore(values: [FlagsBrowserHeldValue])

    /// Whether the command only reads and changes nothing.
    package var isReading: Bool { if case .exportBundle = self { true } else { false } }
}

extension FlagsBrowserCommand: ReflectedAsDescription {
    /// The command's name and what it applies to. Values and bundles are left out, since flags may be secret.
    package var description: String {
        switch self {
        case .set(let flag, _, _, _): "set \(flag.quoted)"
        case .reset(let flag, _): "reset \(flag.quoted)"
        case .resetAll(let group, _): "reset \(group?.quoted ?? "all")"
        case .release(let flag): "release \(flag.quoted)"
        case .importBundle: "import a bundle"
        case .exportBundle: "export a bundle"
        case .restore(let values): "restore \(values.count) values"
        }
    }
}

/// The value that a provider held for a flag at some time.
package struct FlagsBrowserHeldValue: Sendable, Hashable, Codable {
    /// The id of the flag.
    package var flag: String
    /// The id of the provider.
    package var destination: String
    /// The value in full, or `nil` if the provider held none.
    package var value: FlagsBrowserValue?
    /// The time at which the value expires, or `nil` if it never does.
    package var expires: Date?
}

/// The result of a command.
package struct FlagsBrowserReply: Sendable, Hashable, Codable {
    /// A description of the result for people: a sentence with a full stop.
    package var message: String
    /// The ids of the flags that were written, in the order of the writes.
    package var flags: [String] = []
    /// The revision of the browser after the command. A snapshot that is not older has its effect.
    package var revision = 0
    /// The bundle of an export, or `nil` for other commands.
    package var bundle: String?
    /// The command that puts back what was there before, with the ends of overrides. It is `nil` if nothing was
    /// written, or if a value has no form in which it could be written again.
    package var undo: FlagsBrowserCommand?
}

extension FlagsBrowserReply: ReflectedAsDescription {
    /// The message. The bundle is left out, since it has the values of flags that may be secret.
    package var description: String { message }
}

/// The effect that a command would have.
package struct FlagsBrowserPreview: Sendable, Hashable, Codable {
    /// A description for people, such as `The flag stays true: the value from "remote" still wins, because …`.
    package var message: String
    /// For a command about one flag, whether the flag's value would change. For others, whether anything would be
    /// written.
    package var changesAnything: Bool
    /// The changes in the provider, flag by flag. Only commands about several flags list them, and at most the first
    /// ``differenceLimit``.
    package var differences: [Difference] = []

    /// The largest number of differences that are listed: 500.
    package static let differenceLimit = 500

    /// A change that a command would make to one flag's value in a provider.
    package struct Difference: Sendable, Hashable, Codable {
        /// The id of the flag.
        package var flag: String
        /// The flag's key.
        package var key: String
        /// The present value, or `nil` if the provider holds none.
        package var old: FlagsBrowserValue?
        /// The new value, or `nil` if the command removes the value.
        package var new: FlagsBrowserValue?
        /// The time at which the new value would expire, or `nil` if it never would.
        package var expires: Date?
    }
}
