public import TacklineCore

/// A provider whose values are arguments of the command line.
///
/// ```
/// app --flag secrets/boom_feature=true --flag=limit=5
/// app -secrets/boom_feature YES -limit 5
/// ```
///
/// The second form is the one in which Xcode passes launch arguments. There the next argument is the value, unless it
/// begins with a hyphen and is no number; an argument with two hyphens is not of this form. What comes after `--` is
/// nobody's flag. Of two values for one flag the later one wins.
///
/// A value is text without a type, ``/TacklineCore/EncodedFlagValue/unparsed(_:)``: the flag's type decides how it is
/// read. Arguments are read when the provider is made. Safe from any thread.
///
/// A misspelt flag has no effect and is easily overlooked, so ask once, when the loader is there:
///
/// ```swift
/// arguments.reportUnknownFlags(in: loader)
/// ```
public final class ArgumentsProvider: FlagProvider {
    /// Its name in messages and explanations, and its id in a chain.
    public let name: String

    private let parsed: ParsedArguments

    /// Makes a provider.
    ///
    /// - Parameters:
    ///   - name: Its name in messages and explanations, and its id in a chain.
    ///   - option: The option of the first form.
    ///   - arguments: The arguments, without the program.
    public init(
        name: String = "ArgumentsProvider",
        option: String = "--flag",
        arguments: [String] = Array(CommandLine.arguments.dropFirst())
    ) {
        self.name = name
        parsed = ParsedArguments(arguments, option: option)
    }

    /// All values, by the keys that were given.
    public var document: FlagDocument? {
        FlagDocument(parsed.values.mapValues { .unparsed($0) })
    }

    /// Returns the text given for a key, or `nil` if none was.
    public func value(for key: FlagKeyPath) -> EncodedFlagValue? {
        parsed.values[key.text].map { .unparsed($0) }
    }

    /// Does nothing, since the values never change.
    public func observe(_ observer: FlagProviderObserver) -> Bool { true }

    /// Returns what is wrong with the arguments: those that cannot be read, and those for flags that do not exist, with
    /// the nearest one that does.
    ///
    /// Of the form `-name value` only those are listed whose name contains a separator or is near to a key, since
    /// programs and systems use that form for other things too (`-NSDocumentRevisionsDebugMode YES`).
    ///
    /// - Parameter keys: The keys of all loaders that use this provider: `loader.allFlags.map(\.keyPath)`.
    public func issues(comparedWith keys: [FlagKeyPath]) -> [FlagIssue] {
        let known = Set(keys.map(\.text))
        var issues = parsed.malformed.map { argument in
            FlagIssue(
                .malformedArgument,
                message: "The argument \"\(argument)\" sets no flag. Write \(parsed.option) key=value.",
                provider: name
            )
        }
        for (key, value) in parsed.values.sorted(by: { $0.key < $1.key }) where !known.contains(key) {
            let near = NearestName.find(key, in: known)
            if !parsed.certain.contains(key), near == nil, !keys.contains(where: { key.contains($0.separator) }) {
                continue
            }
            let advice = near.map { "Did you mean \"\($0)\"?" } ?? "Remove the argument, or correct the key."
            issues.append(
                FlagIssue(
                    .unknownFlag,
                    message: "The command line sets \"\(key)\", and there is no such flag. \(advice)",
                    key: FlagKeyPath(key),
                    provider: name,
                    value: .unparsed(value)
                )
            )
        }
        return issues
    }

    /// Reports the issues of ``issues(comparedWith:)`` for the flags of a loader, such as a name that no flag has.
    ///
    /// - Parameters:
    ///   - loader: The only loader that uses this provider.
    ///   - reporter: The destination of the issues, or `nil` for the loader's reporter.
    public func reportUnknownFlags<Flags>(in loader: FlagsLoader<Flags>, to reporter: FlagIssueReporter? = nil) {
        let reporter = reporter ?? loader.root.issueReporter
        for issue in issues(comparedWith: loader.allFlags.map(\.keyPath)) { reporter.report(issue) }
    }
}
