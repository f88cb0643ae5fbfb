#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
    import SwiftUI
    import TacklineBrowser

    /// Takes a bundle of overrides in, from a text that is pasted.
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
                            .accessibilityLabel(Text(browser: "Bundle of overrides, in JSON"))
                    } header: {
                        Text(browser: "Paste a bundle")
                    } footer: {
                        Text(verbatim: outlook)
                    }
                    Toggle(browser: "Remove the overrides that it does not have", isOn: $isReplacing)
                }
                .navigationTitle(Text(browser: "Import"))
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
                    outlook = text.isEmpty ? "" : await state.screen.outlook(of: command).message
                }
            }
            .flagsBrowserSize()
        }
    }

    /// Hands the overrides out as a bundle.
    struct FlagsBrowserExport: View {
        let state: FlagsBrowserViewState
        @Environment(\.dismiss) private var dismiss
        @State private var bundle: String?

        var body: some View {
            NavigationStack {
                Form {
                    if let bundle {
                        ShareLink(Text(browser: "Share the bundle"), item: bundle)
                        Text(verbatim: bundle).font(.footnote.monospaced()).textSelection(.enabled)
                    } else if let notice = state.screen.notice, notice.isFailure {
                        Text(verbatim: notice.message)
                    } else {
                        ProgressView()
                    }
                }
                .navigationTitle(Text(browser: "Export"))
                .toolbar {
                    ToolbarItem(placement: .confirmationAction) { Button(browser: "Done") { dismiss() } }
                }
                .task { bundle = await state.perform(.exportBundle(destination: state.destination))?.bundle }
            }
            .flagsBrowserSize()
        }
    }
#endif
