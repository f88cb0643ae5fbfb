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
/// A value without a text, or a key path that leads to no flag, is reported to
/// ``/TacklineCore/FlagIssueReporter/current`` and becomes an argument that fails the launch, so a test never runs with
/// other values than it states. A release build makes no arguments but one that says so and fails the launch, because
/// an app that is built in the same way doesn't read them.
public struct FlagArguments: Sequence, Sendable {
    private var arguments: [String]

    /// Creates the arguments of the given values, in the order of the declarations.
    ///
    /// The keys are those of the collection's own ``/TacklineCore/FlagCollectionProtocol/keyConfiguration``. If the app's
    /// loader has another one, the keys are unknown to the app, which fails the launch.
    ///
    /// - Parameters:
    ///   - type: The root collection of the app's loader.
    ///   - values: Sets the values. If a flag is set twice, the last value counts.
    public init<Collection: FlagCollectionProtocol>(
        _ type: Collection.Type, _ values: (inout FlagAssignments<Collection>) -> Void
    ) {
        #if DEBUG
            let (encoded, mistakes) = FlagAssignments(values).encoded()
            var issues = mistakes
            arguments = FlagProbe<Collection>.flags.compactMap { flag in
                guard let value = encoded[flag.ordinal] else { return nil }
                if let argument = FlagArguments.argument(for: flag, value) { return argument }
                issues.append(
                    FlagError(
                        .unusableSetting,
                        """
                        A launch argument can't hold the value of the flag "\(flag.keyPath)": \
                        \(flag.metadata.isSecret ? "a secret" : "\(value)") has no text that the flag's type reads. \
                        Use another value.
                        """,
                        key: flag.keyPath))
                return nil
            }
            for issue in issues {
                FlagIssueReporter.current.report(issue)
                arguments.append("\(FlagArguments.option)=\(issue.message)")
            }
        #else
            arguments = ["\(FlagArguments.option)=(a release build passes no flags on)"]
        #endif
    }

    /// The flag arguments that this process was given, to be passed on to the app under test.
    ///
    /// They are those of the command line, which a scheme or a test plan passes to the test runner, and then those in
    /// the environment variable `FLAG_ARGUMENTS`, which `TEST_RUNNER_FLAG_ARGUMENTS="--flag=limit=5" xcodebuild test`
    /// sets. There, `--flag=` begins an argument at the start of the text and after a blank.
    public static var passedOn: FlagArguments {
        #if DEBUG
            passedOn(from: CommandLine.arguments, variable: ProcessVariables.current["FLAG_ARGUMENTS"] ?? "")
        #else
            FlagArguments(arguments: [])
        #endif
    }

    private init(arguments: [String]) { self.arguments = arguments }

    /// The option before each key and value.
    static let option = "--flag"

    /// Returns an iterator over the arguments.
    public func makeIterator() -> IndexingIterator<[String]> { arguments.makeIterator() }
}

// A release build has none of this, because it doesn't read the arguments.
#if DEBUG
    extension FlagArguments {
        package static func passedOn(from commandLine: [String], variable: String) -> FlagArguments {
            let given = commandLine.filter { $0.hasPrefix(option + "=") }
            // What stands before the first argument is passed on too, so that the launch fails for it.
            let parts = " \(variable)".split(separator: " \(option)=").map(\.trimmingBlanks).filter { !$0.isEmpty }
            return FlagArguments(arguments: given + parts.map { "\(option)=\($0)" })
        }

        /// Returns the argument that gives a flag a value, or `nil` if no text stands for the value.
        private static func argument(for flag: AnyFlagHandle, _ value: EncodedFlagValue) -> String? {
            let json = try? FlagJSONWriter(layout: .compact).text(of: value)
            var texts = [json].compactMap(\.self)
            // Text, dates and data are written without quotes.
            if case .string(let text) = value {
                texts.insert(text, at: 0)
            } else if let json, json.first == "\"" {
                texts.insert(String(json.dropFirst().dropLast()), at: 0)
            }
            let text = texts.first { text in
                !text.utf8.contains(0) && EncodedFlagValue.unparsed(text).decodes(to: value, as: flag.valueType)
            }
            guard let text else { return nil }
            let argument = "\(option)=\(flag.keyPath.text)=\(text)"
            // A key with an equals sign would be read as another one.
            return ParsedArguments([argument], option: option).values[flag.keyPath.text] == text ? argument : nil
        }
    }

    extension EncodedFlagValue {
        /// Returns whether a type reads this value as the given one.
        fileprivate func decodes(to value: EncodedFlagValue, as type: any FlagValue.Type) -> Bool {
            func decode<Value: FlagValue>(_ type: Value.Type) -> EncodedFlagValue? {
                try? Value(encoded: self).encoded
            }
            return decode(type) == value
        }
    }

    extension Substring {
        /// The text without the blanks and line breaks around it.
        fileprivate var trimmingBlanks: Substring {
            var text = drop(while: \.isWhitespace)
            while text.last?.isWhitespace == true { text.removeLast() }
            return text
        }
    }
#endif

extension FlagArguments: CustomStringConvertible {
    /// The arguments as a shell reads them, separated by blanks: `--flag=limit=5 '--flag=title=Two words'`.
    public var description: String {
        #if DEBUG
            arguments.map(\.quotedForShell).joined(separator: " ")
        #else
            arguments.joined(separator: " ")
        #endif
    }
}

#if DEBUG
    extension String {
        fileprivate var quotedForShell: String {
            let plain = "-_=/.,:+@%0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8
            guard !utf8.allSatisfy(plain.contains) else { return self }
            return "'\(split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#))'"
        }
    }
#endif
