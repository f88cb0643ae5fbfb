#if CommandLine
    import TacklineCore
    import TacklineTargeting

    /// The users for whom a document is evaluated.
    struct Users {
        /// The number of users.
        let count: Int
        private let listed: [EvaluationContext]?

        /// The largest number of synthetic users. More take minutes and give no better estimate.
        static let limit = 10_000_000

        /// Creates a number of synthetic users, or reads the users that a file lists.
        init(_ text: String) throws(CommandFailure) {
            if let count = Int(text) {
                guard (1...Users.limit).contains(count) else {
                    throw CommandFailure("\(count) users; use from 1 to \(Users.limit).", status: .usage)
                }
                self.count = count
                listed = nil
            } else {
                let contexts = try Users.read(InputFile(path: text))
                count = contexts.count
                listed = contexts
            }
        }

        /// The users as contexts.
        var contexts: some Sequence<EvaluationContext> {
            (0..<count).lazy.map { listed?[$0] ?? Users.synthetic($0 + 1) }
        }

        private static func synthetic(_ number: Int) -> EvaluationContext {
            EvaluationContext(targetingKey: "user-\(number)")
        }

        private static func read(_ input: InputFile) throws(CommandFailure) -> [EvaluationContext] {
            guard case .array(let elements) = try input.json(), !elements.isEmpty else {
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

    extension String {
        /// The name and the value of a text such as `name=value`, or `nil` if it has no equals sign or no name. The
        /// value may contain further equals signs.
        var assignment: (name: String, value: String)? {
            // By bytes, because a combining mark makes one character with the equals sign before it.
            let parts = utf8.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
                .map { String(Substring($0)) }
            return parts.count == 2 && !parts[0].isEmpty ? (parts[0], parts[1]) : nil
        }
    }

    extension EvaluationContext {
        /// Creates the context of the user whom the command line names. A value that is not JSON is a string.
        ///
        /// - Parameter pairs: The attributes, such as `plan=gold`.
        init(key: String?, _ pairs: [String]) throws(CommandFailure) {
            self.init(targetingKey: key)
            for pair in pairs {
                guard let (name, text) = pair.assignment else {
                    throw CommandFailure("\"\(pair)\" is not an attribute; write name=value.", status: .usage)
                }
                guard name != "targetingKey" else {
                    throw CommandFailure("The targeting key is given by --user.", status: .usage)
                }
                self[name] = (try? FlagJSONReader().read(text)) ?? .string(text)
            }
        }
    }
#endif
