#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
    import SwiftUI
    import TacklineBrowser

    /// Imports a bundle of overrides from a text that is pasted.
    struct FlagsBrowserImport: View {
        let state: FlagsBrowserViewState
        @Environment(\.dismiss) private var dismiss
        @State private var text = ""
        @State private var isReplacing = false
        @State private var outlook = ""

        private var command: FlagsBrowserCommand {
            .importBundle(text, isReplacing: isReplacing, destination: state.destination)
        }

        var body: some View {
            NavigationStack {
                Form {
                    Section {
                        TextEditor(text: $text)
                            .font(.body.monospaced())
                            .autocorrectionDisabled()
                            .accessibilityLabel(Text(browser: "Bundle"))
                    } header: {
                        Text(browser: "Paste a bundle that somebody shared.")
                    } footer: {
                        Text(verbatim: outlook)
                    }
                    Toggle(browser: "Remove all other overrides", isOn: $isReplacing)
                }
                .navigationTitle(Text(browser: "Import overrides"))
                .toolbar {
                    ToolbarItem(placement: .cancellationAction) { Button(browser: "Cancel") { dismiss() } }
                    ToolbarItem(placement: .confirmationAction) {
                        Button(browser: "Import") {
                            state.begin(command)
                            dismiss()
                        }
                        .disabled(text.isEmpty)
                    }
                }
                .task(id: command) {
                    outlook = text.isEmpty ? "" : await state.outlook(of: command)
                }
            }
            .flagsBrowserSize()
        }
    }

    /// Exports the overrides as a bundle.
    struct FlagsBrowserExport: View {
        let state: FlagsBrowserViewState
        @Environment(\.dismiss) private var dismiss
        @State private var bundle: String?
        @State private var isDone = false

        var body: some View {
            NavigationStack {
                Form {
                    if let bundle {
                        ShareLink(Text(browser: "Share overrides"), item: bundle)
                        Text(verbatim: bundle).font(.footnote.monospaced()).textSelection(.enabled)
                    } else if isDone, let notice = state.screen.notice {
                        Text(verbatim: notice.text)
                    } else {
                        ProgressView()
                    }
                }
                .navigationTitle(Text(browser: "Share overrides"))
                .toolbar {
                    ToolbarItem(placement: .confirmationAction) { Button(browser: "Done") { dismiss() } }
                }
                .task {
                    bundle = await state.perform(.exportBundle(destination: state.destination))?.bundle
                    isDone = true
                }
            }
            .flagsBrowserSize()
        }
    }
#endif
