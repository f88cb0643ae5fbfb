#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

import TacklineCore

// Foundation: what a date picker picks.

/// A value that somebody is about to give a flag, in the form of its control.
package struct FlagsBrowserDraft: Sendable, Hashable {
    /// The flag as it was when the draft was begun.
    package let flag: FlagsBrowserFlag
    /// The value as a text, whatever the control is.
    package var text: String
    /// Whether there is a value. Of an optional flag it may be false, which means `nil`.
    package var hasValue: Bool
    private let began: FlagsBrowserInput

    /// Begins with the flag's present value, or with nothing where that is too long to be edited.
    package init(_ flag: FlagsBrowserFlag) {
        self.flag = flag
        hasValue = flag.value.kind != .null || !flag.isOptional
        text = flag.value.kind == .null ? "" : flag.value.input ?? ""
        began = hasValue ? .text(text) : .value(.null)
    }

    /// What a command takes.
    package var input: FlagsBrowserInput { hasValue ? .text(text) : .value(.null) }

    /// Whether it is another value than the one that it began with.
    package var isChanged: Bool { input != began }

    /// The value of a switch.
    package var isOn: Bool {
        get { text == "true" }
        set { (text, hasValue) = (newValue ? "true" : "false", true) }
    }

    /// The value of a date picker; the reference date where the text is none.
    package var date: Date {
        get { (try? Date(encoded: .string(text))) ?? Date(timeIntervalSinceReferenceDate: 0) }
        set { (text, hasValue) = (FlagsBrowserValue(.date(newValue)).input ?? text, true) }
    }

    /// Adds to the value of a number field, no further than the bounds of the flag's type. A text that is no integer counts
    /// as 0.
    package mutating func step(by difference: Int) {
        guard case .integer(let minimum, let maximum) = flag.control else { return }
        let (sum, overflow) = (Int128(text) ?? 0).addingReportingOverflow(Int128(difference))
        let unbounded = overflow ? (difference < 0 ? Int128.min : .max) : sum
        text = "\(min(max(unbounded, minimum), maximum))"
        hasValue = true
    }
}
