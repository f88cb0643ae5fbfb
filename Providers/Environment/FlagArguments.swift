import TacklineCLibrary
public import TacklineCore

/// Values of flags as launch arguments, for UI tests, schemes and scripts.
///
/// ```swift
/// app.launchArguments += FlagArguments(AppFlags.self) { $0.set(\.newCheckout, to: true) }
/// ```
///
/// Each value is one argument, `--flag=new_checkout=true`, so arguments can be appended, printed and copied. A debug
/// build of the app reads them with `FlagArguments.applyOrExit(to: flags)`.
///
/// A value without a text, or a key path that leads to no flag, becomes an argument that fails the launch, so a test never
/// runs with other values than it states. A release build makes no arguments but one that fails the launch.
public struct FlagArguments: Sequence, Sendable {
    private let arguments: [String]
    private static let option = "--flag"

    /// Creates the arguments of the given values, in the order of the declarations.
    ///
    /// The keys are those of the collection's own ``/TacklineCore/FlagCollectionProtocol/keyConfiguration``. If the app's
    /// loader has another one, the keys are unknown to the app, which fails the launch.
    public init<Collection: FlagCollectionProtocol>(
        _ type: Collection.Type, _ values: (inout FlagAssignments<Collection>) -> Void
    ) {
        #if DEBUG
            let (encoded, issues) = FlagAssignments(values).encoded()
            let texts = FlagProbe<Collection>.flags.compactMap { flag in
                encoded[flag.ordinal].map { Self.text(for: flag, $0) ?? "(the value of \(flag.keyPath) has no text)" }
            }
            arguments = (texts + issues.map { "(\($0.message))" }).map { "\(Self.option)=\($0)" }
        #else
            arguments = ["\(Self.option)=(a release build passes no flags on)"]
        #endif
    }

    /// The flag arguments that this process was given, by a scheme or a test plan, to be passed on to the app under test.
    public static var passedOn: FlagArguments { passedOn(from: Array(CommandLine.arguments.dropFirst())) }

    package static func passedOn(from commandLine: [String]) -> FlagArguments {
        let parsed = ParsedArguments(commandLine, option: option)
        return FlagArguments(parsed.assignments.map { "\(option)=\($0.key)=\($0.text)" } + parsed.malformed)
    }

    private init(_ arguments: [String]) { self.arguments = arguments }

    /// Returns an iterator over the arguments.
    public func makeIterator() -> IndexingIterator<[String]> { arguments.makeIterator() }

    /// Gives flags the values of the launch arguments in a debug build, or ends the program if one of them is wrong.
    ///
    /// Call it when the loaders exist, before the first view. It does what ``apply(to:arguments:)`` does. If that throws,
    /// it writes each issue to standard error, and exits with status 64 (`EX_USAGE`). A release build never exits here.
    public static func applyOrExit<each Collection: FlagCollectionProtocol>(
        to loaders: repeat FlagsLoader<each Collection>,
        arguments: [String] = Array(CommandLine.arguments.dropFirst())
    ) {
        do throws(FlagError) { try apply(to: repeat each loaders, arguments: arguments) } catch {
            error.underlying.forEach(FlagIssueReporter.standardError.report)
            exit(64)
        }
    }

    /// Gives flags the values of the launch arguments in a debug build: `--flag=new_checkout=true`, or
    /// `--flag new_checkout=true`.
    ///
    /// The values come from an override at the start of each loader's chain, which a later call replaces. Other
    /// arguments are ignored, and so is everything after `--`. A release build reads no values, and reports such arguments.
    ///
    /// - Throws: ``/TacklineCore/FlagError`` with `underlying` for every argument that sets no flag of the loaders, is refused
    ///   by the flag's type, has no effect, or gives a flag another value than an earlier one. No value is in force then.
    public static func apply<each Collection: FlagCollectionProtocol>(
        to loaders: repeat FlagsLoader<each Collection>,
        arguments: [String] = Array(CommandLine.arguments.dropFirst())
    ) throws(FlagError) {
        #if DEBUG
            let parsed = ParsedArguments(arguments, option: option)
            let values = LaunchValues(texts: Dictionary(parsed.assignments) { first, _ in first })
            var issues = parsed.malformed.map { FlagError(malformed: $0, of: values.name) }
            func report(_ code: FlagError.Code, _ key: String, _ problem: String) {
                let message = "The launch argument for the flag \"\(key)\" \(problem)."
                issues.append(FlagError(code, message, key: FlagKeyPath(key), provider: values.name))
            }
            for (key, text) in parsed.assignments where text != values.texts[key] {
                report(.malformedArgument, key, "is given again with another value. Pass one of them")
            }
            var known: Set<String> = []
            for loader in repeat each loaders {
                known.formUnion(loader.root.allFlags.map(\.keyPath.text))
                loader.updateProviders { chain in
                    chain.removeAll { $0 is LaunchValues }
                    if !values.texts.isEmpty { chain.insert(values, at: 0) }
                }
            }
            for key in values.texts.keys.sorted() {
                if !known.contains(key) { issues.append(FlagError(unknown: key, in: known, of: values.name)) }
                for loader in repeat each loaders {
                    guard let flag = loader.root.allFlags.first(where: { $0.keyPath.text == key }) else { continue }
                    let reason = values.reasonForNoEffect(on: flag, in: loader.providers)
                    if let reason { report(.ineffectiveArgument, key, "has no effect: \(reason). Correct it") }
                }
            }
            guard !issues.isEmpty else { return }
            for loader in repeat each loaders { loader.updateProviders { $0.removeAll { $0 is LaunchValues } } }
            throw FlagError(.malformedArgument, "Launch arguments can't be applied. Correct them.", underlying: issues)
        #else
            let given = arguments.prefix { $0 != "--" }.first { $0.hasPrefix(option) }
            guard let given else { return }
            let message = "In this release build, nothing is overridden by \(given). Run a debug build."
            let issue = FlagError(.ignoredArguments, message)
            for loader in repeat each loaders { loader.root.issueReporter.report(issue) }
            // The standard reporter of release builds leaves the issue out.
            FlagIssueReporter.standardError.report(issue)
        #endif
    }
}

#if DEBUG
    /// The provider of the values in launch arguments.
    private struct LaunchValues: FlagProvider {
        let name = "launch arguments"
        let traits = FlagProviderTraits.override
        let texts: [String: String]

        func value(for key: FlagKeyPath) -> EncodedFlagValue? { texts[key.text].map { .unparsed($0) } }

        func observe(_ observer: FlagProviderObserver) -> Bool { true }

        /// Returns the reason why a flag doesn't have the value of its argument, or `nil` if it has it.
        func reasonForNoEffect(on flag: AnyFlagHandle, in chain: [any FlagProvider]) -> String? {
            guard chain.first is LaunchValues else { return "the environment of its loader takes no overrides" }
            let explanation = flag.explain()
            guard let step = explanation.providers.first, step.source != explanation.source else { return nil }
            return step.refusal.map { "\($0)" } ?? "the flag's value is \(explanation.source)"
        }
    }

    extension FlagArguments {
        /// Returns the text that gives a flag a value, or `nil` if no text stands for the value.
        private static func text(for flag: AnyFlagHandle, _ value: EncodedFlagValue) -> String? {
            let json = (try? FlagJSONWriter(layout: .compact).text(of: value)) ?? ""
            // Text, dates and data are written without quotes, where that is read in the same way.
            let unquoted = json.first == "\"" ? String(json.dropFirst().dropLast()) : json
            let plain = if case .string(let text) = value { text } else { unquoted }
            func reads<Value: FlagValue>(_ text: String, as type: Value.Type) -> Bool {
                (try? Value(encoded: .unparsed(text)).encoded) == value
            }
            let text = [plain, json].first { !$0.utf8.contains(0) && reads($0, as: flag.valueType) }
            // A key with an equals sign would be read as another one.
            let argument = text.map { "\(flag.keyPath)=\($0)" }
            return ParsedArguments([option, argument ?? ""], option: option).values == [flag.keyPath.text: text]
                ? argument : nil
        }
    }
#endif
