public import TacklineCore

public import TacklineFoundation

/// A provider whose values are environment variables and the lines of an optional `.env` file.
///
/// ```swift
/// let environment = EnvironmentProvider(prefix: "APP")      // APP_SECRETS_BOOM_FEATURE=true
/// ```
///
/// The variable of a flag is derived from its key path: the prefix and the names, joined by underscores. ASCII letters
/// become uppercase, digits stay, and any other character becomes an underscore. `secrets/boom_feature` and
/// `secrets/boom-feature` are both `APP_SECRETS_BOOM_FEATURE`; two keys that share a variable both get its value, which
/// ``issues(comparedWith:)`` finds.
///
/// A value is text without a type, ``/TacklineCore/EncodedFlagValue/unparsed(_:)``; the flag's type determines how it
/// is read. Everything is read when the provider is created and never changes after that. You can call it from any
/// thread.
///
/// ## The file
///
/// A `.env` file has a variable on each line, `NAME=value`, optionally after `export`. A name consists of ASCII letters,
/// digits, `_`, `.` and `-`; of two lines for one name, the later one counts. `#` begins a comment at the start of a line,
/// at the start of a value, and after a blank. A value may be in single quotes, double quotes or backquotes, and is taken
/// literally; only in double quotes do `\n`, `\r`, `\t`, `\"`, `\\` and `\$` mean what they mean in a shell. Variables and
/// commands are not expanded. A line ends with a line feed, with or without a carriage return before it; in a file without
/// line feeds, with a carriage return. Any other line is left out and reported, and the others are used.
public final class EnvironmentProvider: FlagProvider {
    /// The provider's name in messages and explanations, and its id in a chain.
    public let name: String
    /// Failed if the `.env` file, or a line of it, can't be read. The other lines are used.
    public let status: FlagProviderStatus

    private let prefix: String
    private let values: [String: String]

    /// Creates a provider.
    ///
    /// - Parameters:
    ///   - name: The provider's name in messages and explanations, and its id in a chain.
    ///   - prefix: The prefix of the variables, with or without an underscore at the end. With an empty prefix, any
    ///     variable of the process may be used as a flag.
    ///   - file: A `.env` file of at most 1 MiB. Variables of the process take precedence over it. A missing
    ///     file counts as empty. What can't be read is reported to the reporters of the loaders that use the provider.
    ///   - environment: The variables, or `nil` for those of the process.
    public init(
        name: String = "EnvironmentProvider", prefix: String, file: URL? = nil, environment: [String: String]? = nil
    ) {
        self.name = name
        var prefix = prefix
        while prefix.hasSuffix("_") { prefix.removeLast() }
        // A name can't begin with a digit in a shell.
        if prefix.first.map({ ("0"..."9").contains($0) }) == true { prefix = "_\(prefix)" }
        let start = prefix.isEmpty ? "" : "\(prefix)_"
        let lines = file.map { EnvironmentFile($0, provider: name) }
        let variables = environment ?? ProcessInfo.processInfo.environment
        let all = variables.merging(lines?.variables ?? [:]) { variable, _ in variable }
        (self.prefix, values) = (start, all.filter { $0.key.hasPrefix(start) })
        status = lines?.issue.map { .failed($0) } ?? .ready
    }

    /// Returns the text of the key's variable, or `nil` if it is not set.
    public func value(for key: FlagKeyPath) -> EncodedFlagValue? {
        // On a server there is usually none.
        values.isEmpty ? nil : values[variableName(for: key)].map { .unparsed($0) }
    }

    /// Reports what is wrong with the `.env` file to the observer's reporter, and returns `true`. The values never change.
    public func observe(_ observer: FlagProviderObserver) -> Bool {
        if case .failed(let issue) = status { observer.report(issue) }
        return true
    }

    /// Returns the name of a flag's variable.
    public func variableName(for key: FlagKeyPath) -> String {
        var name = prefix
        // Not `joined`, for which a launch searches conformances.
        for (index, component) in key.components.enumerated() {
            if index > 0 { name += "_" }
            for scalar in component.unicodeScalars {
                let isKept = scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
                name += isKept ? scalar.properties.uppercaseMapping : "_"
            }
        }
        return name.first.map { ("0"..."9").contains($0) } == true ? "_\(name)" : name
    }

    /// Returns the problems of the variables, sorted by variable: two keys that share one, and variables with the prefix
    /// that belong to no key.
    ///
    /// - Parameter keys: The keys of all loaders that use this provider: `loader.root.allFlags.map(\.keyPath)`.
    public func issues(comparedWith keys: [FlagKeyPath]) -> [FlagError] {
        var owners: [String: [String]] = [:]
        for key in Set(keys) { owners[variableName(for: key), default: []].append("\"\(key)\"") }
        let known = Array(owners.keys)
        let shared = known.filter { owners[$0]?.count != 1 }
        let unknown = values.keys.filter { !prefix.isEmpty && owners[$0] == nil }
        return (shared + unknown).sorted().map { variable in
            if let flags = owners[variable] {
                let names = flags.sorted().joined(separator: " and ")
                return FlagError(
                    .sharedVariable,
                    "The flags \(names) share the environment variable \(variable), so setting it sets all. Give each its key.",
                    provider: name)
            }
            let advice = NearestName.find(variable, in: known).map { "Did you mean \($0)?" } ?? "Remove or correct it."
            return FlagError(
                .unknownFlag, "The environment variable \(variable) belongs to no flag. \(advice)", provider: name)
        }
    }

    /// Reports the issues of ``issues(comparedWith:)`` to the only loader that uses this provider.
    public func reportUnknownFlags<Flags>(in loader: FlagsLoader<Flags>) {
        issues(comparedWith: loader.root.allFlags.map(\.keyPath)).forEach(loader.root.issueReporter.report)
    }
}
