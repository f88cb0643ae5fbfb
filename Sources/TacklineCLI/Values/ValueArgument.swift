#if CommandLine
    import TacklineCore
    import TacklineFormats
    import TacklineManifest

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
                throw CommandFailure("Flag \"\(flag.key)\": \(error). Nothing was written.")
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
