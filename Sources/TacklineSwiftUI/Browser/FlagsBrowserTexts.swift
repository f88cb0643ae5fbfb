#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
    import Foundation
    import SwiftUI

    // Foundation: the texts are in the bundle of this module. An app's own texts with the same keys mean something else.

    extension Text {
        /// A text of the browser.
        init(browser key: LocalizedStringKey) {
            self.init(key, bundle: .module)
        }
    }

    extension Button where Label == Text {
        init(browser key: LocalizedStringKey, role: ButtonRole? = nil, action: @escaping @MainActor () -> Void) {
            self.init(role: role, action: action) { Text(browser: key) }
        }
    }

    extension Toggle where Label == Text {
        init(browser key: LocalizedStringKey, isOn: Binding<Bool>) {
            self.init(isOn: isOn) { Text(browser: key) }
        }
    }

    extension Menu where Label == Text {
        init(browser key: LocalizedStringKey, @ViewBuilder content: () -> Content) {
            self.init(content: content) { Text(browser: key) }
        }
    }

    extension Picker where Label == Text {
        init(
            browser key: LocalizedStringKey, selection: Binding<SelectionValue>, @ViewBuilder content: () -> Content
        ) {
            self.init(selection: selection, content: content) { Text(browser: key) }
        }
    }

    extension TextField where Label == Text {
        init(browser key: LocalizedStringKey, text: Binding<String>) {
            self.init(text: text) { Text(browser: key) }
        }
    }

    extension Label where Title == Text, Icon == Image {
        init(browser key: LocalizedStringKey, systemImage name: String) {
            self.init {
                Text(browser: key)
            } icon: {
                Image(systemName: name)
            }
        }
    }

    extension Section where Parent == Text, Content: View, Footer == EmptyView {
        init(browser key: LocalizedStringKey, @ViewBuilder content: () -> Content) {
            self.init(content: content) { Text(browser: key) }
        }
    }
#endif
