import Foundation
package import TacklineBrowser
import TacklineCore

/// A class by which the framework that contains this module is found.
private final class ModuleMark {}

/// The bundle with the browser's texts in several languages; `nil` if the app was built without it.
///
/// SwiftPM's own `Bundle.module` ends the app in that case. The texts are in the bundle of this module, because an app's own
/// texts with the same keys mean something else.
let browserBundle: Bundle? = {
    #if canImport(Darwin)
        let folders = [Bundle.main.resourceURL, Bundle(for: ModuleMark.self).resourceURL, Bundle.main.bundleURL]
        return folders.lazy.compactMap {
            $0.flatMap { Bundle(url: $0.appending(path: "tackline_TacklineSwiftUI.bundle")) }
        }
        .first
    #else
        return nil
    #endif
}()

/// Returns a text of the browser in the user's language.
///
/// - Parameters:
///   - key: The English text, which is the key in `Localizable.strings`.
///   - name: What takes the place of `%@` in the text, or `nil` for nothing.
func browserText(_ key: String, _ name: String? = nil) -> String {
    let text = browserBundle?.localizedString(forKey: key, value: key, table: nil) ?? key
    return name.map { text.replacing("%@", with: $0, maxReplacements: 1) } ?? text
}

extension FlagsBrowserFlag {
    /// A few words about the flag's unusual state, or `nil` if there is nothing unusual.
    package var mark: String? {
        var words: [String] = []
        if isOverridden { words.append(browserText("overridden")) }
        if isExpired { words.append(browserText("expired")) }
        if isRefused { words.append(browserText("refused value")) }
        if metadata.isLocked { words.append(browserText("locked")) }
        if metadata.isInternal { words.append(browserText("internal")) }
        return words.isEmpty ? nil : words.joined(separator: ", ")
    }

    /// The value as VoiceOver reads it.
    package var spokenValue: String {
        let spoken =
            switch (value.kind, value.input) {
            case (.bool, "true"?): browserText("on")
            case (.bool, _): browserText("off")
            case (.null, _): browserText("no value")
            case (.string, let input?) where input.count <= 80: input
            default: value.text
            }
        return ([spoken] + (mark.map { [$0] } ?? [])).joined(separator: ", ")
    }
}

extension FlagSource {
    /// The source's name for people.
    package var title: String {
        switch self {
        case .scope: browserText("current task")
        case .computed: browserText("computed")
        case .provider(let id): id
        case .default: browserText("default")
        }
    }
}

extension FlagsBrowserAnswer {
    /// The provider's answer, for people.
    package var text: String {
        switch outcome {
        case .value: value?.text ?? ""
        case .absent: browserText("no value")
        case .excluded: browserText("not asked")
        case .refused: browserText("refused: %@", refusal ?? "")
        }
    }

    /// The variant, the reason and the error of the answer, for people, or `nil` if it has none.
    package var remark: String? {
        let words = [variant.map { browserText("variant %@", $0) }, reason, errorMessage].compactMap(\.self)
        return words.isEmpty ? nil : words.joined(separator: ", ")
    }
}
