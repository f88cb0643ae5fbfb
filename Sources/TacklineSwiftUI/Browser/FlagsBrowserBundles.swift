#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
    import SwiftUI
    import TacklineBrowser

    /// Imports a bundle of overrides from a text that is pasted.
    struct FlagsBrowserImport: View {
        let screen: FlagsBrowserScreen
        @Environment(\.dismiss) private var dismiss
        @State private var text = ""
        @State private var isReplacing = false
        @State private var outlook: Result<FlagsBrowserPreview, FlagsBrowserError>?

        private var command: FlagsBrowserCommand {
            .importBundle(bundle: text, isReplacing: isReplacing, destination: screen.destination)
        }

        private var canImport: Bool { if case .success? = outlook { true } else { false } }

        var body: some View {
            NavigationStack {
                Form {
                    Section {
                        TextEditor(text: $text)
                            .font(.body.monospaced())
                            .autocorrectionDisabled()
                            .accessibilityLabel(browserText("Bundle"))
                    } header: {
                        Text(browserText("Paste a bundle that somebody shared."))
                    } footer: {
                        FlagsBrowserOutlook(outlook: outlook)
                    }
                    Toggle(browserText("Remove all other overrides"), isOn: $isReplacing)
                }
                .navigationTitle(browserText("Import overrides"))
                .toolbar {
                    ToolbarItem(placement: .cancellationAction) { Button(browserText("Cancel")) { dismiss() } }
                    ToolbarItem(placement: .confirmationAction) {
                        Button(browserText("Import")) {
                            screen.begin(command)
                            dismiss()
                        }
                        .disabled(!canImport)
                    }
                }
                .task(id: command) { outlook = text.isEmpty ? nil : await screen.outlook(of: command) }
            }
            .flagsBrowserSize()
        }
    }

    /// Exports the overrides as a bundle.
    struct FlagsBrowserExport: View {
        let screen: FlagsBrowserScreen
        @Environment(\.dismiss) private var dismiss
        @State private var result: Result<FlagsBrowserReply, FlagsBrowserError>?

        var body: some View {
            NavigationStack {
                Form {
                    switch result {
                    case .success(let reply)?:
                        Text(verbatim: reply.message)
                        if let bundle = reply.bundle {
                            ShareLink(browserText("Share overrides"), item: bundle)
                            Text(verbatim: bundle).font(.footnote.monospaced()).textSelection(.enabled)
                        }
                    case .failure(let error)?:
                        Text(verbatim: error.message)
                    case nil:
                        ProgressView()
                    }
                }
                .navigationTitle(browserText("Share overrides"))
                .toolbar {
                    ToolbarItem(placement: .confirmationAction) { Button(browserText("Done")) { dismiss() } }
                }
                .task { result = await screen.perform(.exportBundle(destination: screen.destination)) }
            }
            .flagsBrowserSize()
        }
    }
#endif
