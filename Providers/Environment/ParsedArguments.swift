import TacklineCore

/// What a command line says about flags.
struct ParsedArguments: Sendable {
    /// The option that takes `key=value`.
    let option: String
    /// Texts by key.
    private(set) var values: [String: String] = [:]
    /// Keys that were given with the option, and so are meant as flags without doubt.
    private(set) var certain: Set<String> = []
    /// What was given with the option and cannot be read.
    private(set) var malformed: [String] = []

    init(_ arguments: [String], option: String) {
        self.option = option
        var rest = arguments[...]
        while let argument = rest.popFirst(), argument != "--" {
            if argument == option {
                addAssignment(rest.popFirst() ?? "", as: argument)
            } else if let assignment = argument.suffix(after: option + "=") {
                addAssignment(assignment, as: nil)
            } else if let key = ParsedArguments.key(in: argument), let value = rest.first,
                ParsedArguments.isValue(value)
            {
                rest.removeFirst()
                values[key] = value
            }
        }
    }

    /// Adds `key=value`; the value may contain further equals signs.
    private mutating func addAssignment(_ assignment: String, as former: String?) {
        guard let (key, value) = assignment.assignment else {
            malformed.append([former ?? "", assignment].filter { !$0.isEmpty }.joined(separator: " "))
            return
        }
        values[key] = value
        certain.insert(key)
    }

    /// The key of `-key`, or `nil`.
    private static func key(in argument: String) -> String? {
        guard let key = argument.suffix(after: "-"), !key.isEmpty, key.suffix(after: "-") == nil,
            Double(argument) == nil
        else { return nil }
        return key
    }

    private static func isValue(_ argument: String) -> Bool {
        argument.suffix(after: "-") == nil || Double(argument) != nil
    }
}
