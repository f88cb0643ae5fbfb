extension SourceText {
    /// The systems for whose apps Apple requires privacy manifests.
    static let appSystems = ["iOS", "tvOS", "watchOS", "visionOS"]

    /// Returns the tokens that may be compiled for a system of Apple: those outside of `#if`, and those in branches whose
    /// conditions may hold. An unknown condition, such as a trait, may hold.
    ///
    /// - Parameter system: The name of the system in `os(…)`, such as `iOS`.
    func tokens(on system: String) -> [Token] {
        /// A branch of an open `#if`: whether it may be compiled, and whether one before it certainly is.
        struct Branch {
            var isCompiled: Bool
            var isDecided: Bool
        }
        var open: [Branch] = []
        var found: [Token] = []
        var place = 0
        while place < tokens.count {
            let next = place + 1 < tokens.count ? tokens[place + 1] : nil
            guard tokens[place].text == "#", let next, ["if", "elseif", "else", "endif"].contains(next.text) else {
                if open.allSatisfy(\.isCompiled) { found.append(tokens[place]) }
                place += 1
                continue
            }
            let end = tokens[(place + 2)...].firstIndex { $0.line != next.line } ?? tokens.count
            var condition = BuildCondition(tokens[(place + 2)..<end].map(\.text), system: system)
            switch next.text {
            case "if":
                let holds = condition.holds()
                open.append(Branch(isCompiled: holds != false, isDecided: holds == true))
            case "elseif" where !open.isEmpty:
                let wasDecided = open[open.count - 1].isDecided
                let holds = condition.holds()
                open[open.count - 1] = Branch(
                    isCompiled: !wasDecided && holds != false, isDecided: wasDecided || holds == true)
            case "else" where !open.isEmpty:
                open[open.count - 1].isCompiled = !open[open.count - 1].isDecided
            default:
                _ = open.popLast()
            }
            place = end
        }
        return found
    }
}

/// The condition of an `#if`, which may be true, false or unknown.
private struct BuildCondition {
    private var words: ArraySlice<String>
    private let system: String

    private static let modules: Set = [
        "Darwin", "ObjectiveC", "os", "Dispatch", "Foundation", "Combine", "SwiftUI", "Synchronization", "Observation",
    ]
    private static let foreignModules: Set = [
        "Glibc", "Musl", "Android", "Bionic", "WinSDK", "CRT", "FoundationEssentials", "FoundationNetworking", "AppKit",
    ]

    init(_ words: [String], system: String) {
        self.words = words[...]
        self.system = system
    }

    /// Returns whether the condition holds, or `nil` if that is unknown.
    mutating func holds() -> Bool? {
        var result = conjunction()
        while take("|"), take("|") {
            let other = conjunction()
            result = result == true || other == true ? true : result == nil || other == nil ? nil : false
        }
        return result
    }

    private mutating func conjunction() -> Bool? {
        var result = term()
        while take("&"), take("&") {
            let other = term()
            result = result == false || other == false ? false : result == nil || other == nil ? nil : true
        }
        return result
    }

    private mutating func term() -> Bool? {
        if take("!") { return term().map { !$0 } }
        if take("(") {
            let result = holds()
            _ = take(")")
            return result
        }
        guard let name = words.popFirst() else { return nil }
        guard take("(") else { return name == "true" ? true : name == "false" ? false : nil }
        let argument = words.prefix { $0 != ")" }
        words = words.dropFirst(argument.count + 1)
        switch (name, argument.first) {
        case ("os", let word?): return word == system
        case ("canImport", "UIKit"?): return system == "watchOS" ? nil : true
        case ("canImport", let word?):
            return Self.modules.contains(word) ? true : Self.foreignModules.contains(word) ? false : nil
        default: return nil
        }
    }

    private mutating func take(_ word: String) -> Bool {
        guard words.first == word else { return false }
        words.removeFirst()
        return true
    }
}
