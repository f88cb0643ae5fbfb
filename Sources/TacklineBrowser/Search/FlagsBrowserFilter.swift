public import TacklineCore

/// A filter for the listed flags, and their order. A flag matches if it meets every condition that is set.
public struct FlagsBrowserFilter: Sendable, Hashable {
    /// An order of flags.
    public enum Order: String, Sendable, Hashable, Codable, CaseIterable {
        /// The order of the snapshot. With words to search for, the best matches come first.
        case declared
        /// By name. Case and accents are ignored, and `step 9` comes before `step 10`.
        case name
        /// By key, in the same way.
        case key
        /// The flag with the latest change first; flags without a recent change come last.
        case lastChange
    }

    /// The words to search for in names, keys, values, descriptions, tags and owners; empty for none.
    public var text = ""
    /// Whether to list only flags for which an override layer holds a value.
    public var isOverridden = false
    /// Whether to list only flags whose value differs from their default.
    public var isChangedFromDefault = false
    /// Whether to list only flags whose expiry date has passed.
    public var isExpired = false
    /// Whether to list only pinned flags.
    public var isPinned = false
    /// Whether to list only flags for which a provider holds a value that the flag's type refuses.
    public var isRefused = false
    /// The sources of values. Only flags whose value comes from one of them are listed; empty for any.
    public var sources: Set<FlagSource> = []
    /// The ids of providers. Only flags for which one of them holds another value than the flag has are listed; empty
    /// for any.
    public var differsFrom: Set<String> = []
    /// The kinds of controls. Only flags with one of them are listed; empty for any.
    public var controls: Set<FlagsBrowserControl.Kind> = []
    /// The order of the flags.
    public var order = Order.declared

    /// Creates a filter that every flag matches.
    public init() {}

    /// Creates a filter for some words.
    public init(text: String) { self.text = text }

    /// Whether every flag matches the filter, in whatever order.
    public var isEmpty: Bool {
        var filter = self
        filter.order = .declared
        return filter == FlagsBrowserFilter()
    }
}

extension FlagsBrowserFilter: Codable {
    private enum CodingKeys: String, CodingKey {
        case text, isOverridden, isChangedFromDefault, isExpired, isPinned, isRefused, sources, differsFrom, controls
        case order
    }

    /// Reads an object that was encoded. A missing member has its default.
    ///
    /// - Throws: `DecodingError` if a member has the wrong type.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func take<Value: Decodable>(_ key: CodingKeys, _ path: WritableKeyPath<Self, Value>) throws {
            if let value = try container.decodeIfPresent(Value.self, forKey: key) { self[keyPath: path] = value }
        }
        try take(.text, \.text)
        try take(.isOverridden, \.isOverridden)
        try take(.isChangedFromDefault, \.isChangedFromDefault)
        try take(.isExpired, \.isExpired)
        try take(.isPinned, \.isPinned)
        try take(.isRefused, \.isRefused)
        try take(.sources, \.sources)
        try take(.differsFrom, \.differsFrom)
        try take(.controls, \.controls)
        try take(.order, \.order)
    }
}

extension FlagsBrowserFilter {
    /// Returns whether a flag meets all conditions except the words.
    func admits(_ flag: FlagsBrowserFlag) -> Bool {
        if isOverridden, !flag.isOverridden { return false }
        if isChangedFromDefault, !flag.isChangedFromDefault { return false }
        if isExpired, !flag.isExpired { return false }
        if isPinned, !flag.isPinned { return false }
        if isRefused, !flag.isRefused { return false }
        if !sources.isEmpty, !sources.contains(flag.source) { return false }
        if !differsFrom.isEmpty, !flag.answers.contains(where: { flag.differs(from: $0, of: differsFrom) }) {
            return false
        }
        return controls.isEmpty || controls.contains(flag.control.kind)
    }
}

extension FlagsBrowserFlag {
    /// Whether a provider holds a value that the flag's type refuses.
    var isRefused: Bool { answers.contains { $0.outcome == .refused } }

    /// Returns whether an answer is that of one of some providers, and has another value than the flag.
    fileprivate func differs(from answer: FlagsBrowserAnswer, of providers: Set<String>) -> Bool {
        providers.contains(answer.provider) && differs(from: answer)
    }

    /// Returns whether an answer has another value than the flag.
    func differs(from answer: FlagsBrowserAnswer) -> Bool {
        guard let other = answer.value else { return false }
        // The texts are short forms.
        guard let one = value.input, let two = other.input else { return other.text != value.text }
        // A whole number is a value of a flag with fractions, too.
        let kinds: Set = [value.kind, other.kind]
        if kinds == [.integer, .double], let one = Double(one), let two = Double(two) { return one != two }
        return one != two
    }
}
