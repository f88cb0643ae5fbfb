public import TacklineCore

extension FlagMetadata {
    /// Whether the flag's values are kept out of logs, metrics and traces. Such a flag has the tag `secret`.
    ///
    /// Browsers and explanations show it like any other flag. Setting the property adds or removes the tag.
    public var isSecret: Bool {
        get { tags.contains("secret") }
        set {
            guard newValue != isSecret else { return }
            if newValue { tags.append("secret") } else { tags.removeAll { $0 == "secret" } }
        }
    }
}
