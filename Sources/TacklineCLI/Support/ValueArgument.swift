#if CommandLine
    import TacklineCore
    import TacklineManifest
    import TacklineTargeting

    /// A value as the command line gives it.
    enum ValueArgument {
        /// Returns the value of a text.
        ///
        /// - Parameters:
        ///   - text: JSON, or any other text, which is a string.
        ///   - isString: Whether the text is a string even if it is JSON.
        ///   - flag: The flag for the value. Its type decides how the text is read, and refuses unsuitable texts.
        static func value(
            _ text: String, isString: Bool, for flag: FlagManifest.Entry?
        ) throws(CommandFailure) -> EncodedFlagValue {
            let parsed = isString ? nil : try json(text, mustBe: flag == nil)
            guard let flag else { return parsed ?? .string(text) }
            do throws(FlagValueError) {
                if isString { return try flag.type.normalized(.string(text)) }
                do throws(FlagValueError) {
                    return try flag.type.normalized(.unparsed(text))
                } catch {
                    // The text may be a JSON string in quotes, or null for an optional flag.
                    guard let parsed else { throw error }
                    return try flag.type.normalized(parsed)
                }
            } catch {
                let advice = meant(text, for: flag.type).map { " Did you mean \($0)?" } ?? ""
                throw CommandFailure("Flag \"\(flag.key)\": \(error).\(advice) Nothing was written.")
            }
        }

        /// Returns the most similar value if a flag takes one of a few values.
        private static func meant(_ text: String, for type: FlagManifest.ValueType) -> String? {
            let words =
                type.kind == .boolean ? ["true", "false"] : type.cases.map { $0.map { line($0) } } ?? []
            return KeySuggestion(words).nearest(to: text)
        }

        /// Throws if a value has another type than the one in the file, which is usually a mistake.
        ///
        /// - Parameters:
        ///   - typed: The text of the value.
        ///   - before: The value in the file; `nil` if there is none.
        static func check(
            _ value: EncodedFlagValue, typed: String, for key: String, over before: EncodedFlagValue?
        ) throws(CommandFailure) {
            guard let before, before != .null, value != .null, sort(of: before) != sort(of: value) else { return }
            let advice: String
            if case .bool = before, let word = KeySuggestion(["true", "false"]).nearest(to: typed) {
                advice = "did you mean \(word)? Otherwise"
            } else if case .string = before {
                advice = "--string makes it a string, or"
            } else {
                advice = "correct it, or"
            }
            throw CommandFailure(
                """
                "\(key)" is \(before.kind), \(SafeText.line(json(before), limit: 60)), and \
                \(SafeText.line(json(value), limit: 60)) is \(value.kind); \(advice) use --change-type. Nothing was \
                written.
                """)
        }

        /// Returns the type of a value for the comparison. All numbers have the same type.
        private static func sort(of value: EncodedFlagValue) -> String {
            switch value {
            case .integer, .double: "number"
            default: value.kind
            }
        }

        /// Returns the JSON value of a text; `nil` if the text is not JSON.
        ///
        /// - Throws: If `isRequired` and the text begins like an object, an array or a quoted string, or is a number, but
        ///   cannot be read: it is then not meant as a plain string.
        private static func json(_ text: String, mustBe isRequired: Bool) throws(CommandFailure) -> EncodedFlagValue? {
            do {
                return try FlagJSONReader().read(text)
            } catch {
                let json = /^([{\["]|-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?$)/
                guard isRequired, text.contains(json) else { return nil }
                throw CommandFailure("The value is not JSON, \(error); or pass it as a string with --string.")
            }
        }

        /// Returns a value in one line: a string as it is, and any other value as JSON.
        static func line(_ value: EncodedFlagValue) -> String {
            if case .string(let text) = value { return text }
            return json(value)
        }

        /// Returns the text that is printed of a value, with its end. A terminal is shown no control characters.
        static func text(of value: EncodedFlagValue, onTerminal isTerminal: Bool) -> String {
            (isTerminal ? SafeText.lines(line(value), limit: .max).joined(separator: "\n") : line(value)) + "\n"
        }

        /// Returns a value in one line of JSON.
        static func json(_ value: EncodedFlagValue) -> String {
            (try? FlagJSONWriter(layout: .compact).text(of: value)) ?? value.description
        }
    }
#endif
