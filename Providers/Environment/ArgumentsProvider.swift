public import TacklineCore

/// A provider whose values are command-line arguments.
///
/// ```
/// app --flag secrets/boom_feature=true --flag=limit=5
/// app -secrets/boom_feature YES -limit 5
/// ```
///
/// Xcode passes launch arguments in the second form. In this form the next argument is the value, unless it begins with
/// a hyphen and is not a number. An argument with two hyphens doesn't have this form. Arguments after `--` are ignored.
/// If a flag has several values, the last one counts.
///
/// A value is text without a type, ``/TacklineCore/EncodedFlagValue/unparsed(_:)``; the flag's type determines how it
/// is read. Arguments are read when the provider is created. You can call it from any thread.
///
/// A misspelled flag has no effect and is easily overlooked, so check the arguments once the loader exists:
///
/// ```swift
/// arguments.reportUnknownFlags(in: loader)
/// ```
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
        name: String = "ArgumentsProvider",
        option: String = "--flag",
        arguments: [String] = Array(CommandLine.arguments.dropFirst())
    ) {
        self.name = name
        parsed = ParsedArguments(arguments, option: option)
    }

    /// All values, by the keys in the arguments.
    public var document: FlagDocument? {
        FlagDocument(parsed.values.mapValues { .unparsed($0) })
    }

    /// Returns the text for a key, or `nil` if the arguments have none.
    public func value(for key: FlagKeyPath) -> EncodedFlagValue? {
        parsed.values[key.text].map { .unparsed($0) }
    }

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
        let known = Set(keys.map(\.text))
        var issues = parsed.malformed.map { argument in
            FlagError(
                .malformedArgument,
                "The argument \"\(argument)\" sets no flag. Write \(parsed.option) key=value.",
                provider: name
            )
        }
        let certain = Set(parsed.assignments.map(\.key))
        for (key, value) in parsed.values.sorted(by: { $0.key < $1.key }) where !known.contains(key) {
            let near = NearestName.find(key, in: known)
            if !certain.contains(key), near == nil, !keys.contains(where: { key.contains($0.separator) }) {
                continue
            }
            let advice = near.map { "Did you mean \"\($0)\"?" } ?? "Remove the argument, or correct the key."
            issues.append(
                FlagError(
                    .unknownFlag,
                    "The command line sets \"\(key)\", and there is no such flag. \(advice)",
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
        for issue in issues(comparedWith: loader.root.allFlags.map(\.keyPath)) { reporter.report(issue) }
    }
}
