import Foundation

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
