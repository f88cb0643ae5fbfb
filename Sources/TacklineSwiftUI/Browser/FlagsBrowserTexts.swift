#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
    import Foundation
    import SwiftUI
    import TacklineBrowser

    // Foundation: the texts are in the bundle of this module. An app's own texts with the same keys mean something
    // else.

    extension FlagsBrowserText {
        /// A class by which the framework that contains this module is found.
        private final class Module {}

        /// The bundle with the texts in several languages; `nil` if the app was built without it.
        ///
        /// SwiftPM's own `Bundle.module` ends the app in that case.
        static let bundle: Bundle? = {
            let folders = [Bundle.main.resourceURL, Bundle(for: Module.self).resourceURL, Bundle.main.bundleURL]
            return folders.lazy.compactMap {
                $0.flatMap { Bundle(url: $0.appending(path: "tackline_TacklineSwiftUI.bundle")) }
            }
            .first
        }()

        /// The text in the user's language, with another one in its place.
        func localized(with text: String) -> String {
            let format = Self.bundle?.localizedString(forKey: rawValue, value: rawValue, table: nil) ?? rawValue
            return format.replacing("%@", with: text, maxReplacements: 1)
        }
    }

    extension Text {
        /// A text of the browser.
        init(browser text: FlagsBrowserText) {
            guard let bundle = FlagsBrowserText.bundle else {
                self.init(verbatim: text.rawValue)
                return
            }
            self.init(LocalizedStringKey(text.rawValue), bundle: bundle)
        }
    }

    extension Button where Label == Text {
        init(browser text: FlagsBrowserText, role: ButtonRole? = nil, action: @escaping @MainActor () -> Void) {
            self.init(role: role, action: action) { Text(browser: text) }
        }
    }

    extension Toggle where Label == Text {
        init(browser text: FlagsBrowserText, isOn: Binding<Bool>) {
            self.init(isOn: isOn) { Text(browser: text) }
        }
    }

    extension Menu where Label == Text {
        init(browser text: FlagsBrowserText, @ViewBuilder content: () -> Content) {
            self.init(content: content) { Text(browser: text) }
        }
    }

    extension Picker where Label == Text {
        init(
            browser text: FlagsBrowserText, selection: Binding<SelectionValue>, @ViewBuilder content: () -> Content
        ) {
            self.init(selection: selection, content: content) { Text(browser: text) }
        }
    }

    extension TextField where Label == Text {
        init(browser label: FlagsBrowserText, text: Binding<String>) {
            self.init(text: text) { Text(browser: label) }
        }
    }

    extension Label where Title == Text, Icon == Image {
        init(browser text: FlagsBrowserText, systemImage name: String) {
            self.init {
                Text(browser: text)
            } icon: {
                Image(systemName: name)
            }
        }
    }

    extension Section where Parent == Text, Content: View, Footer == EmptyView {
        init(browser text: FlagsBrowserText, @ViewBuilder content: () -> Content) {
            self.init(content: content) { Text(browser: text) }
        }
    }
#endif
