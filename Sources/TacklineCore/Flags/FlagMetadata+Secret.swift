extension FlagMetadata {
    /// Whether the flag's values are kept out of logs, errors, metrics, traces and everything that is printed. Such a flag
    /// has the tag `secret`.
    ///
    /// Browsers show it like any other flag, and so do the properties of explanations, changes and snapshots. A provider
    /// doesn't know which flags are secret, so what it prints of its values, such as a ``FlagDocument``, may have them.
    /// Setting the property adds or removes the tag.
    public var isSecret: Bool {
        get { tags.contains("secret") }
        set {
            guard newValue != isSecret else { return }
            if newValue { tags.append("secret") } else { tags.removeAll { $0 == "secret" } }
        }
    }
}

extension FlagMetadata {
    /// Returns a text about a value of the flag, or a text that doesn't have it if the flag is secret.
    package func shown(_ text: @autoclosure () -> String) -> String { Self.shown(text(), isSecret: isSecret) }

    /// Returns a text about a value, or a text that doesn't have it if the value is secret.
    static func shown(_ text: @autoclosure () -> String, isSecret: Bool) -> String { isSecret ? "a secret" : text() }
}

/// A value that `dump` and mirrors show as its description and without members, because those may be secret.
package protocol ReflectedAsDescription: CustomStringConvertible, CustomReflectable {}

extension ReflectedAsDescription {
    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
