package import TacklineCore

/// The texts of the flag browsers, which the screen and the web page share.
///
/// A text may contain the placeholder `%@`. In SwiftUI the texts are the keys of `Localizable.strings`; the web page
/// uses the case names as keys.
package enum FlagsBrowserText: String, CaseIterable, Sendable {
    // Search, filters and order
    case search = "Search flags"
    case searchHint = "Name, key, value, tag…"
    case filter = "Filter"
    case overridden = "Overridden"
    case notDefault = "Not default"
    case expired = "Expired"
    case pinned = "Pinned"
    case refused = "Refused"
    case anySource = "Any source"
    case anyType = "Any type"
    case fromProvider = "From %@"
    case differsFromProvider = "Not as %@"
    case toggles = "Switches"
    case integers = "Whole numbers"
    case numbers = "Numbers"
    case texts = "Texts"
    case choices = "Choices"
    case dates = "Dates"
    case json = "JSON"
    case inGroups = "In groups"
    case byName = "By name"
    case byKey = "By key"
    case changedLast = "Changed last"
    case allFlags = "All flags"
    case showAll = "Show all flags"
    case noFlags = "There are no flags."
    case noMatch = "No flag matches."

    // Sources and answers
    case byDefault = "default"
    case computed = "computed"
    case currentTask = "current task"
    case noValue = "no value"
    case notAsked = "not asked"

    // Marks beside a flag
    case isOverridden = "overridden"
    case isExpired = "expired"
    case isLocked = "locked"
    case isInternal = "internal"
    case hasRefusedValue = "refused value"

    // One flag
    case origin = "Where the value comes from"
    case changeIt = "Change it"
    case about = "About the flag"
    case value = "Value"
    case from = "From"
    case because = "Because"
    case defaultValue = "Default"
    case declaredDefault = "Default in the source"
    case type = "Type"
    case property = "Property"
    case variant = "Variant"
    case owner = "Owner"
    case ticket = "Ticket"
    case tags = "Tags"
    case expires = "Expires"
    case collection = "Collection"
    case flagIsGone = "This flag is gone."

    // Editing
    case newValue = "New value"
    case hasValue = "Has a value"
    case on = "On"
    case writeTo = "Write to"
    case overrideLayer = "The override layer"
    case setValue = "Set value"
    case writeAnyway = "Write it all the same"
    case reset = "Reset"
    case resetProvider = "Reset “%@”"
    case nothingToReset = "Nothing to reset"
    case release = "Release"
    case resetFlag = "Reset %@?"
    case resetAll = "Reset all of %@?"
    case resetEverything = "Reset all flags?"
    case resetEverythingAction = "Reset all flags…"
    case pin = "Pin"
    case unpin = "Unpin"
    case undo = "Undo"
    case undoEdit = "Undo: %@"
    case undoAnyway = "Undo all the same"
    case redo = "Redo"
    case redoAnyway = "Redo all the same"

    // Bundles
    case share = "Share overrides"
    case shareAction = "Share overrides…"
    case importTitle = "Import overrides"
    case importAction = "Import overrides…"
    case importNow = "Import"
    case bundle = "Bundle or link"
    case pasteBundle = "Paste a bundle that somebody shared."
    case replaceOthers = "Remove all other overrides"

    // The whole
    case actions = "More"
    case recentChanges = "Recent changes"
    case noChanges = "Nothing has changed since the program started. Changes by anyone appear here at once."
    case live = "Live"
    case loading = "Loading…"
    case connecting = "Connecting…"
    case connectionLost = "Connection lost"
    case notDone = "Not done"
    case nothingChanged = "Nothing was changed."
    case cancel = "Cancel"
    case done = "Done"
    case ok = "OK"

    /// Returns the text with its placeholder replaced.
    package func with(_ text: String) -> String { rawValue.replacing("%@", with: text, maxReplacements: 1) }

    /// The text as a question.
    package var asked: String { rawValue + "?" }
}

extension FlagsBrowserControl.Kind {
    /// The kind's name in a list of filters.
    package var title: FlagsBrowserText {
        switch self {
        case .toggle: .toggles
        case .integer: .integers
        case .number: .numbers
        case .text: .texts
        case .choice: .choices
        case .date: .dates
        case .json: .json
        }
    }
}

extension FlagsBrowserFlag {
    /// The texts for what is unusual about the flag, most important first.
    package var marks: [FlagsBrowserText] {
        (isExpired ? [.isExpired] : []) + (isRefused ? [.hasRefusedValue] : [])
            + (metadata.isLocked ? [.isLocked] : []) + (metadata.isInternal ? [.isInternal] : [])
    }
}

extension FlagSource {
    /// The source's name for people.
    package var title: String {
        switch self {
        case .scope: FlagsBrowserText.currentTask.rawValue
        case .computed: FlagsBrowserText.computed.rawValue
        case .provider(let id): id
        case .default: FlagsBrowserText.byDefault.rawValue
        }
    }
}
