#if CommandLine
    import TacklineCore
    import TacklineFormats
    import TacklineTargeting

    /// The attributes of the user for whom a rule is evaluated, as the command line gives them.
    enum UserAttributes {
        /// Returns a context from a key and `name=value` pairs. A value that is not JSON is a string.
        static func context(key: String?, _ pairs: [String]) throws(CommandFailure) -> EvaluationContext {
            var context = EvaluationContext(targetingKey: key)
            for pair in pairs {
                guard let (name, text) = pair.assignment else {
                    throw CommandFailure("\"\(pair)\" is not an attribute; write name=value.", status: .usage)
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
