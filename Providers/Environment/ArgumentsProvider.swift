public import TacklineCore

/// A provider whose values are command-line arguments.
///
/// ```
/// app --flag secrets/boom_feature=true --flag=limit=5
/// app -secrets/boom_feature YES -limit 5
/// ```
///
/// Xcode passes launch arguments in the second form. In this form the next argument is the value, unless it begins with
/// a hyphen and is not a number. Arguments after `--` are ignored. If a flag has several values, the last one counts.
///
/// A value is text without a type, ``/TacklineCore/EncodedFlagValue/unparsed(_:)``; the flag's type determines how it
/// is read. Call ``reportUnknownFlags(in:)`` once the loader exists, because a misspelled flag is easily overlooked. For
/// arguments with types that only debug builds read, see ``FlagArguments``.
public final class ArgumentsProvider: FlagProvider {
    /// The provider's name in messages and explanations, and its id in a chain.
    public let name: String
    private let parsed: ParsedArguments

    /// Creates a provider.
    ///
    /// - Parameters:
    ///   - name: The provider's name in messages and explanations, and its id in a chain.
    ///   - option: The option of the first form.
    ///   - arguments: The arguments, without the program.
    public init(
        name: String = "ArgumentsProvider", option: String = "--flag",
        arguments: [String] = Array(CommandLine.arguments.dropFirst())
    ) {
        self.name = name
        parsed = ParsedArguments(arguments, option: option)
    }

    /// All values, by the keys in the arguments.
    public var document: FlagDocument? { FlagDocument(parsed.values.mapValues { .unparsed($0) }) }

    /// Returns the text for a key, or `nil` if the arguments have none.
    public func value(for key: FlagKeyPath) -> EncodedFlagValue? { parsed.values[key.text].map { .unparsed($0) } }

    /// Does nothing and returns `true`, because the values never change.
    public func observe(_ observer: FlagProviderObserver) -> Bool { true }

    /// Returns the problems of the arguments: those that can't be read, and those for flags that don't exist, with the
    /// closest name that does.
    ///
    /// An argument of the form `-name value` is listed only if its name contains a separator or is similar to a key,
    /// because programs and systems use that form for other purposes too (`-NSDocumentRevisionsDebugMode YES`).
    ///
    /// - Parameter keys: The keys of all loaders that use this provider: `loader.root.allFlags.map(\.keyPath)`.
    public func issues(comparedWith keys: [FlagKeyPath]) -> [FlagError] {
        let known = keys.map(\.text)
        let unknown = Array(parsed.values.keys).sorted().filter { key in
            !known.contains(key)
                && (parsed.assignments.contains { $0.key == key } || keys.contains { key.contains($0.separator) }
                    || NearestName.find(key, in: known) != nil)
        }
        return parsed.malformed.map { FlagError(malformed: $0, of: name) }
            + unknown.map { FlagError(unknown: $0, in: known, of: name) }
    }

    /// Reports the issues of ``issues(comparedWith:)`` to the only loader that uses this provider.
    public func reportUnknownFlags<Flags>(in loader: FlagsLoader<Flags>) {
        issues(comparedWith: loader.root.allFlags.map(\.keyPath)).forEach(loader.root.issueReporter.report)
    }
}

/// The flags in a command line.
struct ParsedArguments: Sendable {
    private(set) var values: [String: String] = [:]
    /// The keys and texts that were given with the option, in their order.
    private(set) var assignments: [(key: String, text: String)] = []
    /// The arguments that were given with the option and set no flag.
    private(set) var malformed: [String] = []

    init(_ arguments: [String], option: String) {
        var rest = arguments[...]
        while let argument = rest.popFirst(), argument != "--" {
            if argument == option {
                let isMissing = rest.first.map { $0 == option || $0.hasPrefix("\(option)=") } ?? true
                add(isMissing ? "" : rest.removeFirst(), option)
            } else if argument.hasPrefix("\(option)=") {
                add(String(argument.dropFirst(option.count + 1)), option)
            } else if argument.hasPrefix("-"), !argument.hasPrefix("--"), argument != "-", Double(argument) == nil,
                let value = rest.first, !value.hasPrefix("-") || Double(value) != nil
            {
                values[String(argument.dropFirst())] = rest.removeFirst()
            }
        }
    }

    private mutating func add(_ text: String, _ option: String) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { String($0) }
        guard parts.count == 2, !parts[0].isEmpty else { return malformed.append("\(option)=\(text)") }
        values[parts[0]] = parts[1]
        assignments.append((parts[0], parts[1]))
    }
}

extension FlagError.Code {
    /// Two flags share an environment variable.
    public static let sharedVariable: Self = "shared-variable"
    /// Lines of a `.env` file that can't be read and are ignored.
    public static let unreadableLine: Self = "unreadable-line"
    /// An argument that can't be read, or that gives a flag another value than an earlier one.
    public static let malformedArgument: Self = "malformed-argument"
    /// A launch argument that its flag refuses, or for a flag that takes its value from elsewhere.
    public static let ineffectiveArgument: Self = "ineffective-argument"
    /// Launch arguments for flags that a release build doesn't read.
    public static let ignoredArguments: Self = "ignored-arguments"
}

extension FlagError {
    /// Creates the issue of an argument that sets no flag.
    init(malformed argument: String, of provider: String) {
        let message = "The argument \"\(argument)\" sets no flag. Write it like --flag=key=value."
        self.init(.malformedArgument, message, provider: provider)
    }

    /// Creates the issue of a key that no flag has.
    init(unknown key: String, in known: [String], of provider: String) {
        let near = NearestName.find(key, in: known)
        let advice = near.map { "Did you mean \"\($0)\"?" } ?? "Remove the argument, or correct the key."
        let message = "The arguments set \"\(key)\", and there is no such flag. \(advice)"
        self.init(.unknownFlag, message, key: FlagKeyPath(key), provider: provider)
    }
}
