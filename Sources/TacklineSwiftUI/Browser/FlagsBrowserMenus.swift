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
                Button(browser: .showAll) { state.filter = FlagsBrowserFilter() }
                    .disabled(state.filter.isEmpty)
            } label: {
                Label(browser: .filter, systemImage: "line.3.horizontal.decrease.circle")
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
                Button(browser: .shareAction) { isExporting = true }
                Button(browser: .importAction) { isImporting = true }
                    .disabled(state.screen.snapshot?.isReadOnly ?? true)
                Button(browser: .resetEverythingAction, role: .destructive) { state.confirmReset() }
                    .disabled(state.screen.snapshot?.isReadOnly ?? true)
            } label: {
                Label(browser: .actions, systemImage: "ellipsis.circle")
            }
            .confirmationDialog(
                Text(browser: .resetEverything), isPresented: $state.isConfirmingReset, titleVisibility: .visible
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
            Picker(browser: .writeTo, selection: $state.destination) {
                Text(browser: .overrideLayer).tag(String?.none)
                ForEach(state.screen.snapshot?.destinations ?? []) { provider in
                    Text(verbatim: provider.id).tag(Optional(provider.id))
                }
            }
        }
    }
#endif
