#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
    import SwiftUI
    import TacklineBrowser

    /// The list with its search, filters and actions.
    struct FlagsBrowserList: View {
        @Bindable var state: FlagsBrowserViewState

        var body: some View {
            List {
                if let reason = state.screen.snapshot?.readOnlyReason {
                    Text(verbatim: reason.message).font(.footnote).foregroundStyle(.secondary)
                }
                FlagsBrowserParts(state: state, linksToRoute: true)
                if state.screen.snapshot?.recentChanges.isEmpty == false {
                    NavigationLink(value: FlagsBrowserRoute.changes) { Text(browser: "Recent changes") }
                }
            }
            .searchable(text: $state.filter.text, prompt: Text(browser: "Name, key, value, tag…"))
            .autocorrectionDisabled()
            .overlay { FlagsBrowserEmptyState(state: state) }
            .refreshable { await state.refresh() }
            .navigationTitle(Text(verbatim: state.screen.snapshot?.title ?? ""))
            .toolbar {
                ToolbarItem(placement: .automatic) { FlagsBrowserFilterMenu(state: state) }
                ToolbarItem(placement: .primaryAction) { FlagsBrowserActionMenu(state: state) }
            }
        }
    }

    /// The listed flags, in sections.
    struct FlagsBrowserParts: View {
        let state: FlagsBrowserViewState
        /// Whether the navigation stack is the browser's own, which knows its routes.
        let linksToRoute: Bool

        var body: some View {
            ForEach(state.screen.listing?.parts ?? []) { part in
                Section {
                    ForEach(part.flags) { flag in
                        FlagsBrowserRow(state: state, flag: flag, linksToRoute: linksToRoute)
                    }
                } header: {
                    Text(verbatim: part.title)
                } footer: {
                    if !part.description.isEmpty { Text(verbatim: part.description) }
                }
            }
        }
    }

    /// A notice in place of the list while it has no flags.
    private struct FlagsBrowserEmptyState: View {
        let state: FlagsBrowserViewState

        var body: some View {
            if let listing = state.screen.listing {
                if listing.parts.isEmpty {
                    if state.filter.text.isEmpty {
                        ContentUnavailableView { Label(browser: "There are no flags.", systemImage: "flag.slash") }
                    } else {
                        ContentUnavailableView.search(text: state.filter.text)
                    }
                }
            } else {
                ProgressView()
            }
        }
    }

    /// A flag in the list: its name and key, its value, and a switch if it is a Boolean.
    struct FlagsBrowserRow: View {
        @Bindable var state: FlagsBrowserViewState
        let flag: FlagsBrowserFlag
        let linksToRoute: Bool

        private var isSwitch: Bool { flag.control.kind == .toggle && !flag.isOptional }

        private var title: some View {
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

        var body: some View {
            // Side by side, so that the switch can be reached by itself, with a finger and with VoiceOver.
            HStack {
                Group {
                    if linksToRoute {
                        NavigationLink(value: FlagsBrowserRoute.flag(flag.id)) { title }
                    } else {
                        NavigationLink {
                            FlagsBrowserDetails(state: state, id: flag.id)
                        } label: {
                            title
                        }
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
                Button(browser: flag.isPinned ? .unpin : .pin) {
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
