#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
    import SwiftUI
    import TacklineBrowser

    /// The list with its search, filters and actions.
    struct FlagsBrowserList: View {
        @Bindable var state: FlagsBrowserViewState

        var body: some View {
            List {
                if let reason = state.screen.disconnection {
                    Label {
                        Text(verbatim: reason)
                    } icon: {
                        Image(systemName: "wifi.slash")
                    }
                    .foregroundStyle(.orange)
                }
                if let reason = state.screen.snapshot?.readOnlyReason {
                    Text(verbatim: reason.message).font(.footnote).foregroundStyle(.secondary)
                }
                ForEach(state.screen.listing?.parts ?? []) { part in
                    Section {
                        ForEach(part.flags) { flag in
                            FlagsBrowserRow(state: state, flag: flag)
                        }
                    } header: {
                        Text(verbatim: part.title)
                    } footer: {
                        if !part.description.isEmpty { Text(verbatim: part.description) }
                    }
                }
                if state.screen.snapshot?.recentChanges.isEmpty == false {
                    NavigationLink(value: FlagsBrowserRoute.changes) { Text(browser: "Recent changes") }
                }
            }
            .searchable(text: $state.filter.text, prompt: Text(browser: "Name, key, tag or owner"))
            .autocorrectionDisabled()
            .overlay { FlagsBrowserEmptyState(state: state) }
            .refreshable { await state.screen.refresh() }
            .navigationTitle(Text(verbatim: state.screen.snapshot?.title ?? ""))
            .toolbar {
                ToolbarItem(placement: .automatic) { FlagsBrowserFilterMenu(state: state) }
                ToolbarItem(placement: .primaryAction) { FlagsBrowserActionMenu(state: state) }
            }
        }
    }

    /// What is seen where there is no flag to be seen.
    private struct FlagsBrowserEmptyState: View {
        let state: FlagsBrowserViewState

        var body: some View {
            if let listing = state.screen.listing {
                if listing.parts.isEmpty {
                    if state.filter.text.isEmpty {
                        ContentUnavailableView { Label(browser: "No flags", systemImage: "flag.slash") }
                    } else {
                        ContentUnavailableView.search(text: state.filter.text)
                    }
                }
            } else {
                ProgressView()
            }
        }
    }

    /// A flag in the list: its name and key, its value, and a switch where it is one.
    struct FlagsBrowserRow: View {
        @Bindable var state: FlagsBrowserViewState
        let flag: FlagsBrowserFlag

        private var isSwitch: Bool { flag.control.kind == .toggle && !flag.isOptional }

        var body: some View {
            // Side by side, so that the switch can be reached by itself, with a finger and with VoiceOver.
            HStack {
                NavigationLink(value: FlagsBrowserRoute.flag(flag.id)) {
                    HStack {
                        VStack(alignment: .leading) {
                            Text(verbatim: flag.name).font(.headline)
                            Text(verbatim: flag.key).font(.caption.monospaced()).foregroundStyle(.secondary)
                            if let mark = flag.mark { Text(verbatim: mark).font(.caption).foregroundStyle(.orange) }
                        }
                        Spacer()
                        if !isSwitch { Text(verbatim: flag.value.text).foregroundStyle(.secondary).lineLimit(1) }
                    }
                }
                .accessibilityLabel(Text(verbatim: flag.name))
                .accessibilityValue(Text(verbatim: flag.spokenValue))
                .accessibilityHint(Text(verbatim: flag.description))
                .accessibilityIdentifier(flag.id)
                if isSwitch {
                    Toggle(isOn: $state[isOn: flag]) { Text(verbatim: flag.name) }
                        .labelsHidden()
                        .disabled(!flag.isEditable)
                }
            }
            .swipeActions(edge: .leading) {
                Button(browser: flag.isPinned ? "Unpin" : "Pin") {
                    state.begin(.pin(flag: flag.id, isPinned: !flag.isPinned))
                }
            }
            .swipeActions(edge: .trailing) {
                if flag.isOverridden, flag.isEditable {
                    Button(browser: "Reset", role: .destructive) {
                        state.begin(.reset(flag: flag.id, destination: state.destination))
                    }
                }
            }
        }
    }
#endif
