#if CommandLine
    import TacklineCore
    import TacklineFormats
    import TacklineManifest
    import TacklineTargeting
    import TacklineTerminal

    /// A value as it is typed at a terminal.
    enum ValueArgument {
        /// Reads a value.
        ///
        /// - Parameters:
        ///   - text: JSON, or any other text, which is then a string.
        ///   - isString: Whether it is a string whatever it looks like.
        ///   - flag: The flag that it is for; its type decides, and refuses what it cannot be.
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
                    // A JSON string in its quotes, or null for an optional flag.
                    guard let parsed else { throw error }
                    return try flag.type.normalized(parsed)
                }
            } catch {
                let advice = meant(text, for: flag.type).map { " Did you mean \($0)?" } ?? ""
                throw CommandFailure("Flag \"\(flag.key)\": \(error).\(advice) Nothing was written.")
            }
        }

        /// What was probably meant, where a flag takes one of a few values.
        private static func meant(_ text: String, for type: FlagManifest.ValueType) -> String? {
            let words =
                type.kind == .boolean ? ["true", "false"] : type.cases.map { $0.map { line($0) } } ?? []
            return KeySuggestion(words).nearest(to: text)
        }

        /// Refuses a value of another sort than the one that a file has: a slip of the finger more often than a wish.
        ///
        /// - Parameters:
        ///   - typed: The value as it was typed.
        ///   - before: The value that is there; `nil` if there is none.
        static func check(
            _ value: EncodedFlagValue, typed: String, for key: String, over before: EncodedFlagValue?
        ) throws(CommandFailure) {
            guard let before, before != .null, value != .null, sort(of: before) != sort(of: value) else { return }
            let advice: String
            if case .bool = before, let word = KeySuggestion(["true", "false"]).nearest(to: typed) {
                advice = "did you mean \(word)?"
            } else if case .string = before {
                advice = "--string takes it for a string,"
            } else {
                advice = "correct it,"
            }
            throw CommandFailure(
                """
                "\(key)" is \(before.kind), \(SafeText.line(json(before), limit: 60)), and \
                \(SafeText.line(json(value), limit: 60)) is \(value.kind); \(advice) or say --change-type. Nothing was \
                written.
                """)
        }

        /// What a value is taken for: whole numbers and others are of one sort.
        private static func sort(of value: EncodedFlagValue) -> String {
            switch value {
            case .integer, .double, .decimal: "number"
            default: value.kind
            }
        }

        /// The JSON that a text is; `nil` if it is none.
        ///
        /// - Throws: If it begins like an object, a list or a quoted string and is not right: then no string is meant.
        private static func json(_ text: String, mustBe isRequired: Bool) throws(CommandFailure) -> EncodedFlagValue? {
            do {
                return try FlagJSONReader().read(text)
            } catch {
                guard isRequired, let first = text.first, "{[\"".contains(first) else { return nil }
                throw CommandFailure("The value is no JSON, \(error); or take it for a text with --string.")
            }
        }

        /// A value in one line: a string as it is, anything else as JSON.
        static func line(_ value: EncodedFlagValue) -> String {
            if case .string(let text) = value { return text }
            return json(value)
        }

        /// A value in one line of JSON.
        static func json(_ value: EncodedFlagValue) -> String {
            (try? FlagJSONWriter(layout: .compact).text(of: value)) ?? value.description
        }
    }
#endif
