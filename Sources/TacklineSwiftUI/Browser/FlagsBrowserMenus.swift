#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
    import SwiftUI
    import TacklineBrowser

    /// The filters of the list.
    struct FlagsBrowserFilterMenu: View {
        @Bindable var state: FlagsBrowserViewState

        var body: some View {
            Menu {
                ForEach(state.screen.facets, id: \.self) { facet in
                    Toggle(isOn: $state.filter[facet]) {
                        Text(verbatim: facet.text.localized(with: facet.place ?? ""))
                    }
                }
                Button(browser: "Show all flags") { state.filter = FlagsBrowserFilter() }
                    .disabled(state.filter.isEmpty)
            } label: {
                Label(browser: "Filter", systemImage: "line.3.horizontal.decrease.circle")
            }
        }
    }

    /// The actions for all flags.
    struct FlagsBrowserActionMenu: View {
        @Bindable var state: FlagsBrowserViewState
        @State private var isImporting = false
        @State private var isExporting = false

        var body: some View {
            Menu {
                FlagsBrowserDestinationPicker(state: state)
                if let undo = state.screen.snapshot?.undo {
                    Button {
                        state.begin(.undo())
                    } label: {
                        Text(verbatim: FlagsBrowserText.undoEdit.localized(with: undo.title))
                    }
                }
                Button(browser: "Share overrides…") { isExporting = true }
                Button(browser: "Import overrides…") { isImporting = true }
                    .disabled(state.screen.snapshot?.isReadOnly ?? true)
                Button(browser: "Reset all flags…", role: .destructive) { state.confirmReset() }
                    .disabled(state.screen.snapshot?.isReadOnly ?? true)
            } label: {
                Label(browser: "More", systemImage: "ellipsis.circle")
            }
            .confirmationDialog(
                Text(browser: "Reset all flags?"), isPresented: $state.isConfirmingReset, titleVisibility: .visible
            ) {
                if let question = state.screen.question {
                    Button(browser: question.yes, role: .destructive) { state.agree(to: question) }
                }
            }
            .sheet(isPresented: $isImporting) { FlagsBrowserImport(state: state) }
            .sheet(isPresented: $isExporting) { FlagsBrowserExport(state: state) }
        }
    }

    /// A picker of the provider that edits go to.
    struct FlagsBrowserDestinationPicker: View {
        @Bindable var state: FlagsBrowserViewState

        var body: some View {
            Picker(browser: "Write to", selection: $state.destination) {
                Text(browser: "The override layer").tag(String?.none)
                ForEach(state.screen.snapshot?.destinations ?? []) { provider in
                    Text(verbatim: provider.id).tag(Optional(provider.id))
                }
            }
        }
    }
#endif
