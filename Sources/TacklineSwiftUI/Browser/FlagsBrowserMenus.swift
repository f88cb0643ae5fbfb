#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
    import SwiftUI
    import TacklineBrowser

    /// What is listed.
    struct FlagsBrowserFilterMenu: View {
        @Bindable var state: FlagsBrowserViewState

        var body: some View {
            Menu {
                Toggle(browser: "Overridden", isOn: $state.filter.isOverridden)
                Toggle(browser: "Changed from default", isOn: $state.filter.isChangedFromDefault)
                Toggle(browser: "Expired", isOn: $state.filter.isExpired)
                Toggle(browser: "Pinned", isOn: $state.filter.isPinned)
                Menu(browser: "Provider") {
                    ForEach(state.screen.snapshot?.providers ?? []) { provider in
                        Toggle(isOn: $state[isListingProvider: provider.id]) { Text(verbatim: provider.id) }
                    }
                }
                Menu(browser: "Type") {
                    ForEach(FlagsBrowserControl.Kind.allCases, id: \.self) { kind in
                        Toggle(isOn: $state[isListing: kind]) { Text(verbatim: kind.title) }
                    }
                }
                Button(browser: "Show all") { state.filter = FlagsBrowserFilter() }
                    .disabled(state.filter.isEmpty)
            } label: {
                Label(browser: "Filter", systemImage: "line.3.horizontal.decrease.circle")
            }
        }
    }

    /// What can be done to all of it.
    struct FlagsBrowserActionMenu: View {
        @Bindable var state: FlagsBrowserViewState
        @State private var isImporting = false
        @State private var isExporting = false
        @State private var isConfirmingReset = false

        var body: some View {
            Menu {
                FlagsBrowserDestinationPicker(state: state)
                if let undo = state.screen.snapshot?.undo {
                    Button {
                        state.begin(.undo())
                    } label: {
                        Text(browser: "Undo: \(undo.title)")
                    }
                }
                Button(browser: "Export…") { isExporting = true }
                Button(browser: "Import…") { isImporting = true }
                    .disabled(state.screen.snapshot?.isReadOnly ?? true)
                Button(browser: "Reset all…", role: .destructive) { isConfirmingReset = true }
                    .disabled(state.screen.snapshot?.isReadOnly ?? true)
            } label: {
                Label(browser: "Actions", systemImage: "ellipsis.circle")
            }
            .confirmationDialog(
                Text(browser: "Reset all flags?"), isPresented: $isConfirmingReset, titleVisibility: .visible
            ) {
                Button(browser: "Reset all", role: .destructive) {
                    state.begin(.resetAll(destination: state.destination))
                }
            }
            .sheet(isPresented: $isImporting) { FlagsBrowserImport(state: state) }
            .sheet(isPresented: $isExporting) { FlagsBrowserExport(state: state) }
        }
    }

    /// Which provider edits go to.
    struct FlagsBrowserDestinationPicker: View {
        @Bindable var state: FlagsBrowserViewState

        var body: some View {
            Picker(browser: "Edits go to", selection: $state.destination) {
                Text(browser: "The override layer").tag(String?.none)
                ForEach(state.screen.snapshot?.destinations ?? []) { provider in
                    Text(verbatim: provider.id).tag(Optional(provider.id))
                }
            }
        }
    }
#endif
