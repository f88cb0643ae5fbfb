#if CommandLine
    import TacklineCore
    import TacklineFormats
    import TacklineTargeting

    /// For whom a rule is evaluated, as typed at a terminal.
    enum UserAttributes {
        /// Makes a context of a key and `name=value` pairs; a value is JSON, or else a text.
        static func context(key: String?, _ pairs: [String]) throws(CommandFailure) -> EvaluationContext {
            var context = EvaluationContext(targetingKey: key)
            for pair in pairs {
                guard let sign = pair.firstIndex(of: "="), sign > pair.startIndex else {
                    throw CommandFailure("\"\(pair)\" is no attribute; write name=value.", status: .usage)
                }
                let name = String(pair[..<sign])
                let text = String(pair[pair.index(after: sign)...])
                guard name != "targetingKey" else {
                    throw CommandFailure("The targeting key is given by --user.", status: .usage)
                }
                context[name] = (try? FlagJSONReader().read(text)) ?? .string(text)
            }
            return context
        }
    }
#endif
