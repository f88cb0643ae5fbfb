#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
    import SwiftUI
    import TacklineBrowser

    /// The list with its search, filters and actions.
    struct FlagsBrowserList: View {
        @Bindable var screen: FlagsBrowserScreen

        var body: some View {
            List {
                if let reason = screen.snapshot?.readOnlyReason {
                    Text(verbatim: reason.message).font(.footnote).foregroundStyle(.secondary)
                }
                FlagsBrowserParts(screen: screen, linksToRoute: true)
                if screen.snapshot?.recentChanges.isEmpty == false {
                    NavigationLink(value: FlagsBrowserRoute.changes) { Text(browserText("Recent changes")) }
                }
            }
            .searchable(text: $screen.filter.text, prompt: browserText("Name, key, value, tag…"))
            .autocorrectionDisabled()
            .overlay { FlagsBrowserEmptyState(screen: screen) }
            .refreshable { await screen.refresh() }
            .navigationTitle(screen.snapshot?.title ?? "")
            .toolbar {
                ToolbarItem(placement: .automatic) { FlagsBrowserFilterMenu(screen: screen) }
                ToolbarItem(placement: .primaryAction) { FlagsBrowserActionMenu(screen: screen) }
            }
        }
    }

    /// The listed flags, in sections.
    struct FlagsBrowserParts: View {
        let screen: FlagsBrowserScreen
        /// Whether the navigation stack is the browser's own, which knows its routes.
        let linksToRoute: Bool

        var body: some View {
            ForEach(screen.parts) { part in
                Section {
                    ForEach(part.flags) { flag in
                        FlagsBrowserRow(screen: screen, flag: flag, linksToRoute: linksToRoute)
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
        let screen: FlagsBrowserScreen

        var body: some View {
            if screen.snapshot == nil {
                ProgressView()
            } else if screen.parts.isEmpty {
                if screen.filter.text.isEmpty {
                    ContentUnavailableView(browserText("There are no flags."), systemImage: "flag.slash")
                } else {
                    ContentUnavailableView.search(text: screen.filter.text)
                }
            }
        }
    }

    /// A flag in the list: its name and key, its value, and a switch if it is a Boolean.
    private struct FlagsBrowserRow: View {
        @Bindable var screen: FlagsBrowserScreen
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
                            FlagsBrowserDetails(screen: screen, id: flag.id)
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
                    Toggle(isOn: $screen[isOn: flag]) { Text(verbatim: flag.name) }
                        .labelsHidden()
                        .disabled(!flag.isEditable)
                }
            }
            .swipeActions(edge: .trailing) {
                if screen.resettable(flag) != nil {
                    Button(browserText("Reset"), role: .destructive) {
                        screen.begin(.reset(flag: flag.id, destination: screen.destination))
                    }
                }
            }
        }
    }
#endif
