#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
    import SwiftUI

    // Each of these takes the English text, which is the key in `Localizable.strings`.

    extension Text {
        /// A text of the browser.
        init(browser key: String, _ name: String? = nil) { self.init(verbatim: browserText(key, name)) }
    }

    extension Button where Label == Text {
        init(browser key: String, role: ButtonRole? = nil, action: @escaping @MainActor () -> Void) {
            self.init(role: role, action: action) { Text(browser: key) }
        }
    }

    extension Toggle where Label == Text {
        init(browser key: String, isOn: Binding<Bool>) {
            self.init(isOn: isOn) { Text(browser: key) }
        }
    }

    extension Picker where Label == Text {
        init(browser key: String, selection: Binding<SelectionValue>, @ViewBuilder content: () -> Content) {
            self.init(selection: selection, content: content) { Text(browser: key) }
        }
    }

    extension TextField where Label == Text {
        init(browser key: String, text: Binding<String>) {
            self.init(text: text) { Text(browser: key) }
        }
    }

    extension Label where Title == Text, Icon == Image {
        init(browser key: String, systemImage name: String) {
            self.init {
                Text(browser: key)
            } icon: {
                Image(systemName: name)
            }
        }
    }

    extension Section where Parent == Text, Content: View, Footer == EmptyView {
        init(browser key: String, @ViewBuilder content: () -> Content) {
            self.init(content: content) { Text(browser: key) }
        }
    }
#endif
