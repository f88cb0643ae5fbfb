#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
    import SwiftUI
    import TacklineBrowser

    /// What is listed.
    struct FlagsBrowserFilterMenu: View {
        @Bindable var state: FlagsBrowserViewState

        var body: some View {
            Menu {
                Toggle("Overridden", isOn: $state.filter.isOverridden)
                Toggle("Changed from default", isOn: $state.filter.isChangedFromDefault)
                Toggle("Expired", isOn: $state.filter.isExpired)
                Toggle("Pinned", isOn: $state.filter.isPinned)
                Menu("Provider") {
                    ForEach(state.screen.snapshot?.providers ?? []) { provider in
                        Toggle(isOn: $state[isListingProvider: provider.id]) { Text(verbatim: provider.id) }
                    }
                }
                Menu("Type") {
                    ForEach(FlagsBrowserControl.Kind.allCases, id: \.self) { kind in
                        Toggle(isOn: $state[isListing: kind]) { Text(verbatim: kind.title) }
                    }
                }
                Button("Show all") { state.filter = FlagsBrowserFilter() }
                    .disabled(state.filter.isEmpty)
            } label: {
                Label("Filter", systemImage: "line.3.horizontal.decrease.circle")
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
                        Text(verbatim: "Undo: \(undo.title)")
                    }
                }
                Button("Export…") { isExporting = true }
                Button("Import…") { isImporting = true }
                    .disabled(state.screen.snapshot?.isReadOnly ?? true)
                Button("Reset all…", role: .destructive) { isConfirmingReset = true }
                    .disabled(state.screen.snapshot?.isReadOnly ?? true)
            } label: {
                Label("Actions", systemImage: "ellipsis.circle")
            }
            .confirmationDialog("Reset all flags?", isPresented: $isConfirmingReset, titleVisibility: .visible) {
                Button("Reset all", role: .destructive) { state.begin(.resetAll(destination: state.destination)) }
            }
            .sheet(isPresented: $isImporting) { FlagsBrowserImport(state: state) }
            .sheet(isPresented: $isExporting) { FlagsBrowserExport(state: state) }
        }
    }

    /// Which provider edits go to.
    struct FlagsBrowserDestinationPicker: View {
        @Bindable var state: FlagsBrowserViewState

        var body: some View {
            Picker("Edits go to", selection: $state.destination) {
                Text("The override layer").tag(String?.none)
                ForEach(state.screen.snapshot?.destinations ?? []) { provider in
                    Text(verbatim: provider.id).tag(Optional(provider.id))
                }
            }
        }
    }
#endif
