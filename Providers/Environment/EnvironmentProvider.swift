import Synchronization
public import TacklineCore

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Foundation: files are named by `URL`.

/// A provider whose values are environment variables and the lines of an optional `.env` file.
///
/// ```swift
/// let environment = EnvironmentProvider(prefix: "APP")      // APP_SECRETS_BOOM_FEATURE=true
/// ```
///
/// The variable of a flag is derived from its key path: the prefix and the names, joined by underscores. ASCII letters
/// become uppercase, digits stay, and any other character becomes an underscore. `secrets/boom_feature` and
/// `secrets/boom-feature` are both `APP_SECRETS_BOOM_FEATURE`. If two keys share a variable that is set, both get its
/// value, and an issue is reported once. ``issues(comparedWith:)`` finds such keys before the variable is set.
///
/// A value is text without a type, ``/TacklineCore/EncodedFlagValue/unparsed(_:)``; the flag's type determines how it
/// is read. Everything is read when the provider is created and never changes after that. You can call it from any
/// thread.
public final class EnvironmentProvider: FlagProvider {
    /// The provider's name in messages and explanations, and its id in a chain.
    public let name: String
    /// Failed if the `.env` file, or a line of it, can't be read. The other lines are used.
    public let status: FlagProviderStatus

    private let prefix: String
    private let values: [String: String]
    /// Whether no variable can belong to a flag, as is usual on a server. Then a read doesn't derive a name.
    private let hasNone: Bool
    private let asked = Mutex(Asked())

    private struct Asked {
        /// The first key for which each variable was read.
        var keys: [String: FlagKeyPath] = [:]
        /// The first other key for which it was read.
        var others: [String: FlagKeyPath] = [:]
    }

    /// The issues of the `.env` file.
    private let fileIssues: [FlagError]

    /// Creates a provider.
    ///
    /// - Parameters:
    ///   - name: The provider's name in messages and explanations, and its id in a chain.
    ///   - prefix: The prefix of the variables, with or without an underscore at the end. With an empty prefix, any
    ///     variable of the process may be used as a flag.
    ///   - environmentFile: A `.env` file in the format of ``EnvironmentFile``. Variables of the process take
    ///     precedence over the file. A missing file is treated as empty. Lines that can't be read are reported to the
    ///     current reporter and to those of the loaders that use the provider.
    ///   - environment: The variables, or `nil` for those of the process.
    public init(
        name: String = "EnvironmentProvider",
        prefix: String,
        environmentFile: URL? = nil,
        environment: [String: String]? = nil
    ) {
        self.name = name
        let environment = environment ?? ProcessVariables.current
        var prefix = prefix
        while prefix.hasSuffix("_") { prefix.removeLast() }
        self.prefix = prefix
        var file: EnvironmentFile?
        var failure: FlagError?
        var issues: [FlagError] = []
        do throws(FlagError) {
            file = try environmentFile.map { url throws(FlagError) in
                try EnvironmentFile(contentsOf: url, provider: name)
            }
        } catch {
            failure = error
            issues = [FlagError(.unreadableFile, error.message, provider: name)]
        }
        if let file, let environmentFile {
            let mistakes = file.mistakes(in: environment).map(\.description)
            // A file of another kind can have thousands of mistakes.
            let shown = mistakes.prefix(20) + (mistakes.count > 20 ? ["\(mistakes.count - 20) more lines"] : [])
            let path = environmentFile.path(percentEncoded: false)
            issues = shown.map {
                FlagError(.unreadableLine, "Provider \"\(name)\" leaves out of \(path) \($0).", provider: name)
            }
            if !shown.isEmpty {
                failure = FlagError(
                    .unreadable, provider: name, reason: "\(path) is read in part: \(shown.joined(separator: "; "))",
                    advice: "Correct these lines; the others are used")
            }
        }
        values = file?.variables.merging(environment) { $1 } ?? environment
        status = failure.map { .failed($0) } ?? .ready
        fileIssues = issues
        // A name that would begin with a digit has an underscore before it.
        hasNone = !prefix.isEmpty && !values.keys.contains { $0.hasPrefix(prefix) || $0.hasPrefix("_" + prefix) }
        reportFileIssues(to: .current)
    }

    /// Returns the text of the key's variable, or `nil` if it is not set.
    public func value(for key: FlagKeyPath) -> EncodedFlagValue? {
        if hasNone { return nil }
        let variable = variableName(for: key)
        guard let text = values[variable] else { return nil }
        noteAsking(variable, key)
        return .unparsed(text)
    }

    /// Reports the issues of the `.env` file to the observer's reporter and returns `true`. The values never change.
    public func observe(_ observer: FlagProviderObserver) -> Bool {
        reportFileIssues(to: observer.issueReporter)
        return true
    }

    private func reportFileIssues(to reporter: FlagIssueReporter) {
        fileIssues.forEach(reporter.report)
    }

    /// Returns the name of a flag's variable.
    public func variableName(for key: FlagKeyPath) -> String {
        var name = prefix
        for component in key.components {
            if !name.isEmpty { name += "_" }
            for scalar in component.unicodeScalars {
                let isLetter = ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
                let isKept = isLetter || ("0"..."9").contains(scalar)
                name += isKept ? scalar.properties.uppercaseMapping : "_"
            }
        }
        // A name can't begin with a digit in a shell.
        return name.unicodeScalars.first.map { ("0"..."9").contains($0) } == true ? "_" + name : name
    }

    /// Returns the problems of the variables: two keys that share one, and variables with the prefix that belong to no
    /// key.
    ///
    /// The issues are sorted by variable.
    ///
    /// - Parameter keys: The keys of all loaders that use this provider: `loader.root.allFlags.map(\.keyPath)`.
    public func issues(comparedWith keys: [FlagKeyPath]) -> [FlagError] {
        var owners: [String: FlagKeyPath] = [:]
        var issues: [String: FlagError] = [:]
        for key in keys {
            let variable = variableName(for: key)
            if let owner = owners[variable], owner != key {
                issues[variable] = collision(variable, owner, key)
            } else {
                owners[variable] = key
            }
        }
        if !prefix.isEmpty {
            for variable in values.keys where variable.hasPrefix(prefix + "_") && owners[variable] == nil {
                let near = NearestName.find(variable, in: owners.keys).flatMap { owners[$0] }
                let advice =
                    near.map { "Did you mean \(variableName(for: $0)), for the flag \"\($0)\"?" }
                    ?? "Remove the variable, or correct its name."
                issues[variable] = FlagError(
                    .unknownFlag,
                    "The environment variable \(variable) belongs to no flag. \(advice)",
                    key: near,
                    provider: name,
                    value: values[variable].map { .unparsed($0) }
                )
            }
        }
        return issues.sorted { $0.key < $1.key }.map(\.value)
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

    private func noteAsking(_ variable: String, _ key: FlagKeyPath) {
        let keys: (first: FlagKeyPath, other: FlagKeyPath)? = asked.withLock { asked in
            guard let first = asked.keys[variable] else {
                asked.keys[variable] = key
                return nil
            }
            guard first != key else { return nil }
            let other = asked.others[variable] ?? key
            asked.others[variable] = other
            return (first, other)
        }
        guard let keys else { return }
        FlagIssueReporter.current.report(collision(variable, keys.first, keys.other))
    }

    private func collision(_ variable: String, _ first: FlagKeyPath, _ second: FlagKeyPath) -> FlagError {
        FlagError(
            .sharedVariable,
            """
            The flags "\(first)" and "\(second)" share the environment variable \(variable), so setting it sets \
            both. Give one of them another key.
            """,
            key: second,
            provider: name,
            value: values[variable].map { .unparsed($0) }
        )
    }
}
