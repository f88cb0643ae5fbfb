package import TacklineFoundation

import TacklineCore

// Foundation: a date picker has a `Date`.

/// A value that somebody is editing, in the form of the flag's control.
package struct FlagsBrowserDraft: Sendable, Hashable {
    /// The parts that can be edited.
    private struct Content: Sendable, Hashable {
        var text: String
        var hasValue: Bool
        var expires: Date?
    }

    /// The flag as it is now.
    package private(set) var flag: FlagsBrowserFlag
    /// The id of the provider that the value is written to, or `nil` if there is none.
    package private(set) var destination: String?
    private var content: Content
    private var began: Content

    /// Creates a draft with the flag's present value, or an empty one if the value is too long to be edited. It expires
    /// when the value in the destination does. Where there is no value, one would begin with what the control shows.
    package init(_ flag: FlagsBrowserFlag, destination: String?) {
        (self.flag, self.destination) = (flag, destination)
        let isNull = flag.value.kind == .null
        let shown: [FlagsBrowserControl.Kind: String] = [.toggle: "false", .date: "2001-01-01T00:00:00Z"]
        content = Content(
            text: (isNull ? shown[flag.control.kind] ?? flag.control.options?.first?.id : flag.value.input) ?? "",
            hasValue: !isNull || !flag.isOptional,
            expires: destination.flatMap { flag.answer(of: $0)?.expires })
        began = content
    }

    /// The value as a text, for any control.
    package var text: String {
        get { content.text }
        set { content.text = newValue }
    }

    /// Whether there is a value. For an optional flag, `false` means `nil`.
    package var hasValue: Bool {
        get { content.hasValue }
        set { content.hasValue = newValue }
    }

    /// The time at which the value expires, or `nil` if it never does.
    package var expires: Date? {
        get { content.expires }
        set { content.expires = newValue }
    }

    /// Whether something was edited.
    package var isChanged: Bool { content != began }

    /// The command that applies the draft.
    package var command: FlagsBrowserCommand {
        .set(flag: flag.id, text: hasValue ? text : nil, destination: destination, expires: expires)
    }

    /// Takes the flag as it is now. A value that was edited stays; any other follows the flag's.
    package mutating func follow(_ flag: FlagsBrowserFlag) {
        if isChanged { self.flag = flag } else { self = FlagsBrowserDraft(flag, destination: destination) }
    }

    /// Chooses another provider to write to. A value that was edited stays.
    package mutating func move(to destination: String?) {
        self.destination = destination
        follow(flag)
    }

    /// The value of a switch.
    package var isOn: Bool {
        get { text == "true" }
        set { (text, hasValue) = (newValue ? "true" : "false", true) }
    }

    /// The value of a date picker, or the reference date if the text is not a date.
    package var date: Date {
        get { FlagTimestamp.date(from: text) ?? Date(timeIntervalSinceReferenceDate: 0) }
        set { (text, hasValue) = (FlagsBrowserValue(.date(newValue)).input ?? text, true) }
    }

    /// The value of a slider, or the least one if the text is no number. It is rounded as a `Float` is.
    package var number: Double {
        get {
            guard let range = flag.control.range else { return Double(text) ?? 0 }
            return min(max(Double(text) ?? range.lowerBound, range.lowerBound), range.upperBound)
        }
        set {
            guard let range = flag.control.range else { return }
            let rounded = Double("\(Float(newValue))") ?? newValue
            (text, hasValue) = ("\(min(max(rounded, range.lowerBound), range.upperBound))", true)
        }
    }

    /// Adds to the value of a number field, within the bounds of the flag's type. A text that is not an integer counts
    /// as 0.
    package mutating func step(by difference: Int) {
        guard flag.control.kind == .integer else { return }
        let (sum, overflow) = (Int128(text) ?? 0).addingReportingOverflow(Int128(difference))
        let unbounded = overflow ? (difference < 0 ? Int128.min : .max) : sum
        let minimum = flag.control.minimum.flatMap { Int128($0) } ?? .min
        let maximum = flag.control.maximum.flatMap { Int128($0) } ?? .max
        (text, hasValue) = ("\(min(max(unbounded, minimum), maximum))", true)
    }
}

extension FlagsBrowserDraft: ReflectedAsDescription {
    /// The flag's key. The value is left out, since the flag may be secret.
    package var description: String { "a draft of \(flag.key.quoted)" }
}
