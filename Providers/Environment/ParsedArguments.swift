import TacklineCore

/// The flags in a command line.
struct ParsedArguments: Sendable {
    /// The option that is followed by `key=value`.
    let option: String
    /// The texts by key.
    private(set) var values: [String: String] = [:]
    /// The keys and texts that were given with the option, and so certainly refer to flags, in their order.
    private(set) var assignments: [(key: String, text: String)] = []
    /// The arguments that were given with the option and can't be read.
    private(set) var malformed: [String] = []

    init(_ arguments: [String], option: String) {
        self.option = option
        var rest = arguments[...]
        while let argument = rest.popFirst(), argument != "--" {
            if argument == option {
                let isMissing = rest.first.map { $0 == option || $0.rest(after: option + "=") != nil } ?? true
                addAssignment(isMissing ? "" : rest.removeFirst(), as: argument)
            } else if let assignment = argument.rest(after: option + "=") {
                addAssignment(assignment, as: nil)
            } else if let key = ParsedArguments.key(in: argument), let value = rest.first,
                ParsedArguments.isValue(value)
            {
                rest.removeFirst()
                values[key] = value
            }
        }
    }

    /// Adds `key=value`. The value may contain further equals signs.
    private mutating func addAssignment(_ assignment: String, as former: String?) {
        guard let (key, value) = assignment.nameAndValue else {
            malformed.append([former ?? "", assignment].filter { !$0.isEmpty }.joined(separator: " "))
            return
        }
        values[key] = value
        assignments.append((key, value))
    }

    /// Returns the key of `-key`, or `nil` for other arguments.
    private static func key(in argument: String) -> String? {
        guard let key = argument.rest(after: "-"), !key.isEmpty, key.rest(after: "-") == nil,
            Double(argument) == nil
        else { return nil }
        return key
    }

    private static func isValue(_ argument: String) -> Bool {
        argument.rest(after: "-") == nil || Double(argument) != nil
    }
}

// The texts are split by bytes, because a delimiter and a combining mark form one character.
extension String {
    /// The name and the value of a text such as `name=value`, or `nil` if it has no equals sign or no name.
    fileprivate var nameAndValue: (name: String, value: String)? {
        guard let place = utf8.firstIndex(of: UInt8(ascii: "=")), place != startIndex else { return nil }
        let value = utf8[utf8.index(after: place)...]
        return (String(decoding: utf8[..<place], as: UTF8.self), String(decoding: value, as: UTF8.self))
    }

    /// Returns the text after a prefix, or `nil` if the bytes of the text don't begin with those of the prefix.
    fileprivate func rest(after prefix: String) -> String? {
        utf8.starts(with: prefix.utf8) ? String(decoding: utf8.dropFirst(prefix.utf8.count), as: UTF8.self) : nil
    }
}
