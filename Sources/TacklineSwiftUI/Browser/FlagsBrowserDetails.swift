#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
    import Foundation
    import SwiftUI
    import TacklineBrowser

    /// Everything about one flag: its value and the form to change it, and then where the value comes from.
    struct FlagsBrowserDetails: View {
        @Bindable var screen: FlagsBrowserScreen
        let id: String

        var body: some View {
            if let flag = screen.snapshot?.flag(id: id) {
                Form {
                    FlagsBrowserSummary(flag: flag)
                    Section(browserText("Change it")) {
                        if let refusal = flag.refusal {
                            Text(verbatim: refusal.message).foregroundStyle(.secondary)
                        } else if let draft = Binding($screen.draft), draft.wrappedValue.flag.id == id {
                            FlagsBrowserEditor(screen: screen, flag: flag, draft: draft)
                        }
                    }
                    FlagsBrowserAnswers(flag: flag)
                    if flag.canBeReleased {
                        Button(browserText("Release")) { screen.begin(.release(flag: flag.id)) }
                    }
                    FlagsBrowserMetadataSection(flag: flag)
                }
                .textSelection(.enabled)
                .navigationTitle(flag.name)
                .task(id: flag.isEditable) { await screen.open(id) }
                .task(id: screen.draft?.command) { await screen.look() }
            } else {
                ContentUnavailableView(browserText("This flag no longer exists."), systemImage: "flag.slash")
            }
        }
    }

    /// The description of the flag and its value.
    private struct FlagsBrowserSummary: View {
        let flag: FlagsBrowserFlag

        var body: some View {
            Section {
                if !flag.description.isEmpty { Text(verbatim: flag.description) }
                LabeledContent(browserText("Value"), value: flag.value.text)
                LabeledContent(browserText("From"), value: flag.source.title)
                LabeledContent(browserText("Because"), value: flag.reason)
                if let variant = flag.variant { LabeledContent(browserText("Variant"), value: variant) }
                LabeledContent(browserText("Default"), value: flag.defaultValue.text)
                if flag.declaredDefault != flag.defaultValue {
                    LabeledContent(browserText("Default in the source"), value: flag.declaredDefault.text)
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
            Section(browserText("Where the value comes from")) {
                ForEach(flag.answers, id: \.provider) { answer in
                    VStack(alignment: .leading) {
                        LabeledContent(answer.provider, value: answer.text)
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
            Section(browserText("About the flag")) {
                LabeledContent(browserText("Type"), value: flag.type)
                LabeledContent(browserText("Property"), value: flag.property)
                if let owner = flag.metadata.owner { LabeledContent(browserText("Owner"), value: owner) }
                if let ticket = flag.metadata.ticket { LabeledContent(browserText("Ticket"), value: ticket) }
                if let date = flag.metadata.expiryDate {
                    let day = Date.FormatStyle(date: .abbreviated, time: .omitted, timeZone: .gmt)
                    LabeledContent(browserText("Expires"), value: date.formatted(day))
                }
                if !flag.metadata.tags.isEmpty {
                    LabeledContent(browserText("Tags"), value: flag.metadata.tags.joined(separator: ", "))
                }
            }
        }
    }

    /// The last changes.
    struct FlagsBrowserChanges: View {
        let screen: FlagsBrowserScreen

        var body: some View {
            List {
                ForEach(screen.snapshot?.recentChanges ?? []) { change in
                    VStack(alignment: .leading) {
                        Text(verbatim: change.key).font(.headline)
                        Text(verbatim: "\(change.old.text) → \(change.new.text), \(change.source.title)")
                        let time = change.time.formatted(date: .omitted, time: .standard)
                        Text(verbatim: change.author.map { "\(time), \($0)" } ?? time)
                            .font(.caption).foregroundStyle(.secondary)
                    }
                    .accessibilityElement(children: .combine)
                }
            }
            .navigationTitle(browserText("Recent changes"))
        }
    }
#endif
