#if CommandLine
    import TacklineCore
    import TacklineFormats
    import TacklineTargeting

    /// The users that a document is tried on.
    struct Users {
        /// How many there are.
        let count: Int
        private let listed: [EvaluationContext]?

        /// More take minutes and tell nothing new.
        static let limit = 10_000_000

        /// Takes a number of synthetic users, or a file that lists some.
        init(_ text: String) throws(CommandFailure) {
            if let count = Int(text) {
                guard (1...Users.limit).contains(count) else {
                    throw CommandFailure("\(count) users; say from 1 to \(Users.limit).", status: .usage)
                }
                self.count = count
                listed = nil
            } else {
                let contexts = try Users.read(InputFile(path: text))
                count = contexts.count
                listed = contexts
            }
        }

        /// The users as contexts; the progress hears of each.
        func contexts(_ progress: ProgressReport? = nil) -> some Sequence<EvaluationContext> {
            (0..<count).lazy.map { position in
                progress?.advance(to: position + 1, of: count)
                return listed?[position] ?? EvaluationContext(targetingKey: "user-\(position + 1)")
            }
        }

        private static func read(_ input: InputFile) throws(CommandFailure) -> [EvaluationContext] {
            let value: EncodedFlagValue
            do {
                value = try FlagJSONReader().read(input.bytes)
            } catch {
                throw CommandFailure("\(input.path):\(error.line):\(error.column): error: \(error.message)")
            }
            guard case .array(let elements) = value, !elements.isEmpty else {
                throw CommandFailure(
                    """
                    \(input.path) has to be a list of users that is not empty: ["ann", { "targetingKey": "bob", \
                    "email": "bob@example.com" }].
                    """)
            }
            var contexts: [EvaluationContext] = []
            for (position, element) in elements.enumerated() {
                switch element {
                case .string(let key): contexts.append(EvaluationContext(targetingKey: key))
                case .object(var members):
                    var context = EvaluationContext()
                    switch members.removeValue(forKey: "targetingKey") {
                    case nil, .null?: break
                    case .string(let key)?: context.targetingKey = key
                    case let key?:
                        throw CommandFailure(
                            "\(input.path): the targetingKey of user \(position + 1) is \(key.kind), \(key); write a text."
                        )
                    }
                    context.attributes = members
                    contexts.append(context)
                default:
                    throw CommandFailure(
                        "\(input.path): user \(position + 1) is \(element.kind); write a targeting key or an object.")
                }
            }
            return contexts
        }
    }
#endif
