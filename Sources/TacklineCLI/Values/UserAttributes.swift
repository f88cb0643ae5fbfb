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
                guard let (name, text) = pair.assignment else {
                    throw CommandFailure("\"\(pair)\" is no attribute; write name=value.", status: .usage)
                }
                guard name != "targetingKey" else {
                    throw CommandFailure("The targeting key is given by --user.", status: .usage)
                }
                context[name] = (try? FlagJSONReader().read(text)) ?? .string(text)
            }
            return context
        }
    }
#endif
