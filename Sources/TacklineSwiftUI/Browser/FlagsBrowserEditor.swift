#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
    import Foundation
    import SwiftUI
    import TacklineBrowser

    // Foundation: the time at which a value expires.

    /// The control of a flag, the effect of an edit, and the buttons that perform it.
    struct FlagsBrowserEditor: View {
        @Bindable var screen: FlagsBrowserScreen
        let flag: FlagsBrowserFlag
        @Binding var draft: FlagsBrowserDraft

        var body: some View {
            if flag.isOptional { Toggle(browserText("Has a value"), isOn: $draft.hasValue) }
            if draft.hasValue {
                FlagsBrowserControlView(draft: $draft)
                    .accessibilityLabel(Text(verbatim: flag.name))
            }
            FlagsBrowserDestinationPicker(screen: screen)
            if screen.keepsExpiry { FlagsBrowserExpiryPicker(expires: $draft.expires) }
            FlagsBrowserOutlook(outlook: screen.outlook)
            Button(browserText("Set value")) { screen.save() }
                .disabled(!screen.canSave)
            if let held = screen.resettable(flag) {
                Button(role: .destructive) {
                    screen.begin(.reset(flag: flag.id, destination: screen.destination))
                } label: {
                    Text(browserText("Reset “%@”", held))
                }
            }
        }
    }

    /// The effect that a command would have, or the reason why it can't be performed.
    struct FlagsBrowserOutlook: View {
        let outlook: Result<FlagsBrowserPreview, FlagsBrowserError>?

        var body: some View {
            switch outlook {
            case .success(let preview)?:
                Text(verbatim: preview.message).font(.footnote).foregroundStyle(.secondary)
            case .failure(let error)?:
                Text(verbatim: error.message).font(.footnote).foregroundStyle(.red)
            case nil:
                EmptyView()
            }
        }
    }

    /// A switch for the end of a value, and the picker of its time.
    private struct FlagsBrowserExpiryPicker: View {
        @Binding var expires: Date?

        private var isExpiring: Binding<Bool> {
            Binding(
                get: { @MainActor in expires != nil },
                set: { @MainActor isOn in expires = isOn ? Date(timeIntervalSinceNow: 3600) : nil })
        }

        var body: some View {
            Toggle(browserText("Expires"), isOn: isExpiring)
            if let time = Binding($expires) {
                DatePicker(browserText("Expires at"), selection: time)
            }
        }
    }

    /// The control that fits the flag.
    private struct FlagsBrowserControlView: View {
        @Binding var draft: FlagsBrowserDraft

        var body: some View {
            if let rule = draft.flag.rule { Text(verbatim: rule).font(.footnote).foregroundStyle(.secondary) }
            switch draft.flag.control.kind {
            case .toggle:
                Toggle(browserText("On"), isOn: $draft.isOn)
            case .integer:
                Stepper {
                    TextField(browserText("Value"), text: $draft.text)
                } onIncrement: {
                    draft.step(by: 1)
                } onDecrement: {
                    draft.step(by: -1)
                }
            case .number:
                TextField(browserText("Value"), text: $draft.text)
                if let range = draft.flag.control.range {
                    Slider(value: $draft.number, in: range) { Text(browserText("Value")) }
                }
            case .text:
                TextField(browserText("Value"), text: $draft.text).autocorrectionDisabled()
            case .choice:
                Picker(browserText("Value"), selection: $draft.text) {
                    ForEach(draft.flag.control.options ?? []) { option in Text(verbatim: option.label).tag(option.id) }
                }
            case .date:
                DatePicker(browserText("Value"), selection: $draft.date)
            case .json:
                TextEditor(text: $draft.text).font(.body.monospaced()).autocorrectionDisabled()
            }
        }
    }
#endif
