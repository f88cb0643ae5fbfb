#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

import TacklineCore

// Foundation: a date picker has a `Date`.

/// A value that somebody is editing, in the form of the flag's control.
package struct FlagsBrowserDraft: Sendable, Hashable {
    /// The flag as it is now.
    package private(set) var flag: FlagsBrowserFlag
    /// The flag when editing began, or when the user was last informed of a conflicting change.
    package private(set) var seen: FlagsBrowserFlag
    /// The value as a text, for any control.
    package var text: String { didSet { if text != oldValue { error = nil } } }
    /// Whether there is a value. For an optional flag, `false` means `nil`.
    package var hasValue: Bool { didSet { if hasValue != oldValue { error = nil } } }
    /// The command that is saving the draft, or `nil` if none is. The draft can't be edited meanwhile.
    package private(set) var saving: FlagsBrowserCommand?
    /// The error in the value, or `nil` if none is known.
    package var error: FlagsBrowserError?
    private var began: FlagsBrowserInput

    /// Creates a draft with the flag's present value, or an empty one if the value is too long to be edited.
    package init(_ flag: FlagsBrowserFlag) {
        self.flag = flag
        seen = flag
        hasValue = flag.value.kind != .null || !flag.isOptional
        text = flag.value.kind == .null ? "" : flag.value.input ?? ""
        began = hasValue ? .text(text) : .value(.null)
    }

    /// The input for a command.
    package var input: FlagsBrowserInput { hasValue ? .text(text) : .value(.null) }

    /// Whether the value differs from the initial one.
    package var isChanged: Bool { input != began }

    /// Whether somebody else has changed the flag. Saving the draft again overwrites that.
    package var isConflict: Bool { error?.code == .editConflict }

    /// Returns the command that applies the draft.
    package func command(destination: String?) -> FlagsBrowserCommand {
        .set(flag: flag.id, to: input, destination: destination)
    }

    /// Takes the flag as it is now. A value that was edited stays; any other follows the flag's.
    mutating func follow(_ flag: FlagsBrowserFlag) {
        if !isChanged, saving == nil, !flag.value.isShortened {
            self = FlagsBrowserDraft(flag)
        } else {
            self.flag = flag
        }
    }

    mutating func save(_ command: FlagsBrowserCommand) { (saving, error) = (command, nil) }

    /// Takes the error of saving the draft. After a conflict, the user has seen the present value.
    mutating func refuse(_ error: FlagsBrowserError) {
        (saving, self.error) = (nil, error)
        if error.code == .editConflict { seen = flag }
    }

    /// The values to choose from, with their names; empty if any text can be entered. `nil` stands for no value.
    package var options: [(label: String, text: String?)] {
        let options: [(String, String?)] =
            switch flag.control {
            case .toggle: [("true", "true"), ("false", "false")]
            case .choice(let options): options.map { ($0.label, $0.id) }
            default: []
            }
        return options + (flag.isOptional && !options.isEmpty ? [(FlagsBrowserText.noValue.rawValue, nil)] : [])
    }

    /// The index of the chosen option; `nil` if the value is none of them.
    package var choice: Int? {
        get { options.firstIndex { $0.text == (hasValue ? text : nil) } }
        set {
            guard let newValue, options.indices.contains(newValue) else { return }
            hasValue = options[newValue].text != nil
            text = options[newValue].text ?? text
        }
    }

    /// The value of a switch.
    package var isOn: Bool {
        get { text == "true" }
        set { (text, hasValue) = (newValue ? "true" : "false", true) }
    }

    /// The value of a date picker, or the reference date if the text is not a date.
    package var date: Date {
        get { (try? Date(encoded: .string(text))) ?? Date(timeIntervalSinceReferenceDate: 0) }
        set { (text, hasValue) = (FlagsBrowserValue(.date(newValue)).input ?? text, true) }
    }

    /// The value of a slider, or the least one if the text is no number. It is rounded as a `Float` is.
    package var number: Double {
        get {
            guard case .number(let range?) = flag.control else { return Double(text) ?? 0 }
            return min(max(Double(text) ?? range.lowerBound, range.lowerBound), range.upperBound)
        }
        set {
            guard case .number(let range?) = flag.control else { return }
            let rounded = Double("\(Float(newValue))") ?? newValue
            (text, hasValue) = ("\(min(max(rounded, range.lowerBound), range.upperBound))", true)
        }
    }

    /// Adds to the value of a number field, within the bounds of the flag's type. A text that is not an integer counts
    /// as 0.
    package mutating func step(by difference: Int) {
        guard case .integer(let minimum, let maximum) = flag.control else { return }
        let (sum, overflow) = (Int128(text) ?? 0).addingReportingOverflow(Int128(difference))
        let unbounded = overflow ? (difference < 0 ? Int128.min : .max) : sum
        text = "\(min(max(unbounded, minimum), maximum))"
        hasValue = true
    }
}

extension FlagsBrowserDraft: ReflectedAsDescription {
    /// The flag's key. The value is left out, since the flag may be secret.
    package var description: String { "a draft of \(flag.key.quoted)" }
}
