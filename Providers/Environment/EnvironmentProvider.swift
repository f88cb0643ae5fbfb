import Synchronization
public import TacklineCore

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Foundation: `ProcessInfo` knows the environment, and `URL` is how files are named.

/// A provider whose values are environment variables, and lines of an optional `.env` file.
///
/// ```swift
/// let environment = EnvironmentProvider(prefix: "APP")      // APP_SECRETS_BOOM_FEATURE=true
/// ```
///
/// The variable of a flag is made from its key path: the prefix and the names, joined by underscores, where ASCII
/// letters become capitals, digits stay, and any other character becomes an underscore. `secrets/boom_feature` and
/// `secrets/boom-feature` are both `APP_SECRETS_BOOM_FEATURE`. When two keys ask for one variable that is set, both get
/// its value, and an issue is reported once; ``issues(comparedWith:)`` finds such keys before anybody sets it.
///
/// A value is text without a type, ``/TacklineCore/EncodedFlagValue/unparsed(_:)``: the flag's type decides how it is
/// read. Everything is read when the provider is made and never changes after that. Safe from any thread.
public final class EnvironmentProvider: FlagProvider {
    /// Its name in messages and explanations, and its id in a chain.
    public let name: String
    /// Failed if the `.env` file could not be read; none of its lines are used then.
    public let status: FlagProviderStatus

    private let prefix: String
    private let values: [String: String]
    /// Whether no variable can belong to a flag, as nearly always on a server: then no name is put together for a read.
    private let hasNone: Bool
    private let asked = Mutex(Asked())

    private struct Asked {
        /// The first key that each variable was asked for with.
        var keys: [String: FlagKeyPath] = [:]
        /// The first other key that it was asked for with.
        var others: [String: FlagKeyPath] = [:]
    }

    private let issueLog = FlagIssueLog()

    /// Makes a provider.
    ///
    /// - Parameters:
    ///   - name: Its name in messages and explanations, and its id in a chain.
    ///   - prefix: What the variables begin with, with or without an underscore at the end. With an empty one any
    ///     variable of the process may be taken for a flag.
    ///   - environmentFile: A `.env` file, whose format ``EnvironmentFile`` describes. A variable of the process wins
    ///     over a line of the file. A file that is not there counts as empty.
    ///   - environment: The variables.
    public init(
        name: String = "EnvironmentProvider",
        prefix: String,
        environmentFile: URL? = nil,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) {
        self.name = name
        self.prefix = String(prefix.reversed().drop { $0 == "_" }.reversed())
        do throws(FlagProviderError) {
            let lines = try environmentFile.map { url throws(FlagProviderError) in
                try EnvironmentFile.read(url, provider: name)
            }
            values = (lines ?? [:]).merging(environment) { $1 }
            status = .ready
        } catch {
            values = environment
            status = .failed(error)
        }
        let start = self.prefix
        // A name that would begin with a digit has an underscore before it.
        hasNone = !start.isEmpty && !values.keys.contains { $0.hasPrefix(start) || $0.hasPrefix("_" + start) }
    }

    /// Returns the text of the key's variable, or `nil` if it is not set.
    public func value(for key: FlagKeyPath) -> EncodedFlagValue? {
        if hasNone { return nil }
        let variable = variableName(for: key)
        guard let text = values[variable] else { return nil }
        noteAsking(variable, key)
        return .unparsed(text)
    }

    /// Does nothing, since the values never change.
    public func observe(_ observer: FlagProviderObserver) -> Bool { true }

    /// The name of a flag's variable.
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
        // A shell takes no name that begins with a digit.
        return name.unicodeScalars.first.map { ("0"..."9").contains($0) } == true ? "_" + name : name
    }

    /// Returns what is wrong with the variables: two keys that share one, and set ones which begin with the prefix and
    /// belong to no key.
    ///
    /// Sorted by variable.
    ///
    /// - Parameter keys: The keys of all loaders that use this provider: `loader.allFlags.map(\.keyPath)`.
    public func issues(comparedWith keys: [FlagKeyPath]) -> [FlagIssue] {
        var owners: [String: FlagKeyPath] = [:]
        var issues: [String: FlagIssue] = [:]
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
                issues[variable] = FlagIssue(
                    .unknownFlag,
                    message: "The environment variable \(variable) belongs to no flag. \(advice)",
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
        for issue in issues(comparedWith: loader.allFlags.map(\.keyPath)) { reporter.report(issue) }
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
        issueLog.report(collision(variable, keys.first, keys.other), detail: variable, to: [.current])
    }

    private func collision(_ variable: String, _ first: FlagKeyPath, _ second: FlagKeyPath) -> FlagIssue {
        FlagIssue(
            .sharedVariable,
            message: """
                The flags "\(first)" and "\(second)" share the environment variable \(variable), so setting it sets \
                both. Give one of them another key.
                """,
            key: second,
            provider: name,
            value: values[variable].map { .unparsed($0) }
        )
    }
}
