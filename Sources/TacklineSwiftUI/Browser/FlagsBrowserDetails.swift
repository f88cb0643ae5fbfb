#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
    import Foundation
    import SwiftUI
    import TacklineBrowser

    /// Everything about one flag.
    struct FlagsBrowserDetails: View {
        @Bindable var state: FlagsBrowserViewState
        let id: String

        var body: some View {
            Group {
                if let flag = state.screen.snapshot?.flag(id: id) {
                    Form {
                        FlagsBrowserSummary(flag: flag)
                        Section(browser: "Change it") {
                            if let refusal = flag.refusal {
                                Text(verbatim: refusal.message).foregroundStyle(.secondary)
                            } else if let draft = Binding($state.draft) {
                                FlagsBrowserEditor(state: state, flag: flag, draft: draft)
                            }
                        }
                        FlagsBrowserAnswers(flag: flag)
                        if flag.canBeReleased {
                            Button(browser: "Release") { state.begin(.release(flag: flag.id)) }
                        }
                        FlagsBrowserMetadataSection(flag: flag)
                    }
                    .navigationTitle(Text(verbatim: flag.name))
                    .toolbar {
                        ToolbarItem(placement: .primaryAction) {
                            Button(browser: flag.isPinned ? .unpin : .pin) {
                                state.begin(.pin(flag: flag.id, isPinned: !flag.isPinned))
                            }
                        }
                    }
                    .task(id: flag.isEditable) { await state.open(id) }
                } else {
                    ContentUnavailableView { Label(browser: "This flag no longer exists.", systemImage: "flag.slash") }
                }
            }
        }
    }

    /// The description of the flag and its value.
    private struct FlagsBrowserSummary: View {
        let flag: FlagsBrowserFlag

        var body: some View {
            Section {
                if !flag.description.isEmpty { Text(verbatim: flag.description) }
                FlagsBrowserFact(browser: "Value", flag.value.text)
                FlagsBrowserFact(browser: "From", flag.origin)
                FlagsBrowserFact(browser: "Because", flag.reason)
                if let variant = flag.variant { FlagsBrowserFact(browser: "Variant", variant) }
                FlagsBrowserFact(browser: "Default", flag.defaultValue.text)
                if flag.declaredDefault != flag.defaultValue {
                    FlagsBrowserFact(browser: "Default in the source", flag.declaredDefault.text)
                }
            } header: {
                Text(verbatim: flag.key)
            }
        }
    }

    /// The answer of each provider.
    private struct FlagsBrowserAnswers: View {
        let flag: FlagsBrowserFlag

        var body: some View {
            Section(browser: "Where the value comes from") {
                ForEach(flag.answers, id: \.provider) { answer in
                    VStack(alignment: .leading) {
                        FlagsBrowserFact(verbatim: answer.provider, answer.text)
                        if let remark = answer.remark {
                            Text(verbatim: remark).font(.footnote).foregroundStyle(.secondary)
                        }
                    }
                    .accessibilityElement(children: .combine)
                }
            }
        }
    }

    /// The type, owner, ticket, expiry date and tags of the flag.
    private struct FlagsBrowserMetadataSection: View {
        let flag: FlagsBrowserFlag

        var body: some View {
            Section(browser: "About the flag") {
                FlagsBrowserFact(browser: "Type", flag.type)
                FlagsBrowserFact(browser: "Property", flag.property)
                if let owner = flag.metadata.owner { FlagsBrowserFact(browser: "Owner", owner) }
                if let ticket = flag.metadata.ticket { FlagsBrowserFact(browser: "Ticket", ticket) }
                if let date = flag.metadata.expiryDate {
                    FlagsBrowserFact(browser: "Expires", date.formatted(date: .abbreviated, time: .omitted))
                }
                if !flag.metadata.tags.isEmpty {
                    FlagsBrowserFact(browser: "Tags", flag.metadata.tags.joined(separator: ", "))
                }
            }
        }
    }

    /// A name with a text that can be selected.
    struct FlagsBrowserFact: View {
        private let name: Text
        private let text: String

        init(browser name: FlagsBrowserText, _ text: String) {
            self.name = Text(browser: name)
            self.text = text
        }

        init(verbatim name: String, _ text: String) {
            self.name = Text(verbatim: name)
            self.text = text
        }

        var body: some View {
            LabeledContent {
                Text(verbatim: text).textSelection(.enabled)
            } label: {
                name
            }
        }
    }

    /// The last changes.
    struct FlagsBrowserChanges: View {
        let state: FlagsBrowserViewState

        var body: some View {
            List {
                ForEach(state.screen.snapshot?.recentChanges ?? []) { change in
                    VStack(alignment: .leading) {
                        Text(verbatim: change.key).font(.headline)
                        Text(verbatim: "\(change.old.text) → \(change.new.text), \(change.source)")
                        Text(verbatim: change.time.formatted(date: .omitted, time: .standard))
                            .font(.caption).foregroundStyle(.secondary)
                    }
                    .accessibilityElement(children: .combine)
                }
            }
            .navigationTitle(Text(browser: "Recent changes"))
        }
    }
#endif
