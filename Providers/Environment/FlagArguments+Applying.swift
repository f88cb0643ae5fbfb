#if canImport(Glibc) || canImport(Musl)
    @preconcurrency import TacklineCLibrary
#else
    import TacklineCLibrary
#endif
public import TacklineCore

extension FlagArguments {
    /// Gives flags the values of the launch arguments in a debug build, or ends the program if one of them is wrong.
    ///
    /// ```swift
    /// let flags = FlagsLoader(AppFlags.self, providers: [overrides, remote])
    /// FlagArguments.applyOrExit(to: flags)
    /// ```
    ///
    /// Call it when the loaders exist, before the first view. It does what ``apply(to:arguments:)`` does. If that
    /// throws, it writes each issue to standard error, and on Apple's systems to the system's log, and exits with
    /// status 64 (`EX_USAGE`). A release build reads no values and never exits here.
    ///
    /// - Parameters:
    ///   - loaders: All loaders whose flags the arguments may name.
    ///   - arguments: The arguments, without the program.
    public static func applyOrExit<each Collection: FlagCollectionProtocol>(
        to loaders: repeat FlagsLoader<each Collection>,
        arguments: [String] = Array(CommandLine.arguments.dropFirst())
    ) {
        #if DEBUG
            do throws(FlagArgumentsError) {
                try apply(to: repeat each loaders, arguments: arguments)
            } catch {
                for issue in error.issues {
                    FlagIssueReporter.standardError.report(issue)
                    #if canImport(Darwin)
                        FlagIssueReporter.systemLog.report(issue)
                    #endif
                }
                exit(64)
            }
        #else
            try? apply(to: repeat each loaders, arguments: arguments)
        #endif
    }

    /// Gives flags the values of the launch arguments in a debug build: `--flag=new_checkout=true`, or
    /// `--flag new_checkout=true`.
    ///
    /// The values come from an override at the start of each loader's chain, which a later call replaces. Other
    /// arguments are ignored, and so is everything after `--`. A release build reads no values. If there are such
    /// arguments, it reports `ignored-arguments` to the loaders' reporters and to the
    /// system's log.
    ///
    /// - Parameters:
    ///   - loaders: All loaders whose flags the arguments may name.
    ///   - arguments: The arguments, without the program.
    /// - Throws: ``FlagArgumentsError`` with every argument that sets no flag of the loaders, is refused by the flag's
    ///   type, has no effect, or gives a flag another value than an earlier one. No value is in force then.
    public static func apply<each Collection: FlagCollectionProtocol>(
        to loaders: repeat FlagsLoader<each Collection>,
        arguments: [String] = Array(CommandLine.arguments.dropFirst())
    ) throws(FlagArgumentsError) {
        #if DEBUG
            var targets: [any FlagArgumentsTarget] = []
            for loader in repeat each loaders { targets.append(loader) }
            try LaunchValues(arguments).install(in: targets)
        #else
            guard let issue = ignoredArguments(arguments) else { return }
            for loader in repeat each loaders { loader.root.issueReporter.report(issue) }
            // The standard reporter of release builds leaves the issue out.
            FlagIssueReporter.systemLog.report(issue)
        #endif
    }

    #if !DEBUG
        @inline(never) private static func ignoredArguments(_ arguments: [String]) -> FlagError? {
            for argument in arguments {
                if argument == "--" { return nil }
                guard argument.hasPrefix(option) else { continue }
                return FlagError(
                    .ignoredArguments,
                    """
                    This is a release build, so its launch arguments set no flags, and nothing is overridden by \
                    \(argument). Run a debug build.
                    """)
            }
            return nil
        }
    #endif
}

/// The launch arguments that can't be applied.
public struct FlagArgumentsError: Error, Sendable, CustomStringConvertible {
    /// An issue for each wrong argument, in the order of the arguments. Never empty.
    public let issues: [FlagError]

    /// A line for each issue.
    public var description: String { issues.map(\.description).joined(separator: "\n") }
}

#if DEBUG
    /// A loader without the type of its collection.
    private protocol FlagArgumentsTarget {
        var root: FlagGroup { get }
        var providers: [any FlagProvider] { get }
        func flag(at key: FlagKeyPath) -> AnyFlagHandle?
        func updateProviders(_ change: (inout [any FlagProvider]) throws -> Void) rethrows
    }

    extension FlagsLoader: FlagArgumentsTarget {}

    /// The provider of the values in launch arguments.
    private final class LaunchValues: FlagProvider {
        let name = "launch arguments"
        let traits = FlagProviderTraits.override
        private let parsed: ParsedArguments
        private let texts: [String: String]

        init(_ arguments: [String]) {
            parsed = ParsedArguments(arguments, option: FlagArguments.option)
            texts = Dictionary(parsed.assignments.map { ($0.key, $0.text) }) { first, _ in first }
        }

        func value(for key: FlagKeyPath) -> EncodedFlagValue? { texts[key.text].map { .unparsed($0) } }

        func observe(_ observer: FlagProviderObserver) -> Bool { true }

        /// Puts the values in force, or throws what is wrong with the arguments.
        func install(in targets: [any FlagArgumentsTarget]) throws(FlagArgumentsError) {
            for target in targets {
                target.updateProviders { chain in
                    chain.removeAll { $0 is LaunchValues }
                    if !texts.isEmpty { chain.insert(self, at: 0) }
                }
            }
            let issues = issues(in: targets)
            guard !issues.isEmpty else { return }
            for target in targets { target.updateProviders { $0.removeAll { $0 is LaunchValues } } }
            throw FlagArgumentsError(issues: issues)
        }

        private func issues(in targets: [any FlagArgumentsTarget]) -> [FlagError] {
            var issues = parsed.malformed.map { argument in
                FlagError(
                    .malformedArgument,
                    "The launch argument \"\(argument)\" sets no flag. Write \(parsed.option)=key=value.",
                    provider: name)
            }
            var keys: Set<String> = []
            var repeated: Set<String> = []
            for (key, text) in parsed.assignments {
                guard keys.insert(key).inserted else {
                    if text != texts[key], repeated.insert(key).inserted { issues.append(self.repeated(key, targets)) }
                    continue
                }
                let owners = targets.filter { $0.flag(at: FlagKeyPath(key)) != nil }
                issues += owners.isEmpty ? [unknown(key, targets)] : owners.compactMap { ineffective(key, in: $0) }
            }
            return issues
        }

        private func repeated(_ key: String, _ targets: [any FlagArgumentsTarget]) -> FlagError {
            let isSecret = targets.contains { $0.flag(at: FlagKeyPath(key))?.metadata.isSecret == true }
            let given = parsed.assignments.filter { $0.key == key }.map { "\"\($0.text)\"" }
            return FlagError(
                .repeatedArgument,
                """
                The launch arguments give the flag "\(key)" several values\
                \(isSecret ? "" : ": \(given.joined(separator: ", "))"). Pass one of them.
                """,
                key: FlagKeyPath(key), provider: name)
        }

        private func unknown(_ key: String, _ targets: [any FlagArgumentsTarget]) -> FlagError {
            let known = targets.flatMap { $0.root.allFlags.map(\.keyPath.text) }
            let near = NearestName.find(key, in: known)
            let advice = near.map { "Did you mean \"\($0)\"?" } ?? "Remove the argument, or correct the key."
            return FlagError(
                .unknownFlag, "The launch arguments set \"\(key)\", and there is no such flag. \(advice)",
                key: FlagKeyPath(key), provider: name)
        }

        /// Returns the reason why a flag doesn't have the value of its argument, or `nil` if it has it.
        private func ineffective(_ key: String, in target: any FlagArgumentsTarget) -> FlagError? {
            guard let flag = target.flag(at: FlagKeyPath(key)) else { return nil }
            guard let position = target.providers.firstIndex(where: { $0 is LaunchValues }) else {
                return issue(
                    flag,
                    """
                    its chain is that of the environment "\(target.root.environment?.name ?? "")", which takes no \
                    overrides. Launch the app in another environment
                    """)
            }
            let explanation = flag.explain()
            let step = explanation.providers.dropFirst(position).first
            if let step, explanation.source == step.source { return nil }
            if let refusal = step?.refusal {
                return FlagError(
                    .refusedValue,
                    "The launch argument for the flag \"\(key)\" is refused: \(refusal). Correct the value.",
                    key: flag.keyPath, provider: name)
            }
            if explanation.source == .computed {
                return issue(flag, "the flag computes its value. Set the flags that it is computed from")
            }
            return issue(flag, "the flag's value is from \(explanation.source). Remove the argument, or that value")
        }

        private func issue(_ flag: AnyFlagHandle, _ reason: String) -> FlagError {
            FlagError(
                .ineffectiveArgument,
                "The launch argument for the flag \"\(flag.keyPath)\" has no effect, because \(reason).",
                key: flag.keyPath, provider: name)
        }
    }
#endif
