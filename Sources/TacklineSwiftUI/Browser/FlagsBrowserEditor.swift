#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
    import SwiftUI
    import TacklineBrowser

    /// The control of a flag, the effect of an edit, and the buttons that perform it.
    struct FlagsBrowserEditor: View {
        @Bindable var state: FlagsBrowserViewState
        let flag: FlagsBrowserFlag
        @Binding var draft: FlagsBrowserDraft

        var body: some View {
            if flag.isOptional { Toggle(browser: "Has a value", isOn: $draft.hasValue) }
            if draft.hasValue {
                FlagsBrowserControlView(draft: $draft)
                    .accessibilityLabel(Text(verbatim: flag.name))
            }
            FlagsBrowserDestinationPicker(state: state)
            let outlook = state.screen.outlook
            if let outlook {
                Text(verbatim: outlook.text)
                    .font(.footnote)
                    .foregroundStyle(outlook.kind == .failure ? Color.red : Color.secondary)
            }
            Button(browser: draft.isConflict ? .writeAnyway : .setValue) { state.save() }
                .disabled(!draft.isConflict && outlook?.kind != .done && outlook?.kind != .hint)
            let held = state.screen.resettable(flag)
            Button(role: .destructive) {
                state.begin(.reset(flag: flag.id, destination: state.destination))
            } label: {
                Text(
                    verbatim: (held == nil ? .nothingToReset : FlagsBrowserText.resetProvider).localized(
                        with: held ?? ""))
            }
            .disabled(held == nil)
        }
    }

    /// The control that fits the flag.
    private struct FlagsBrowserControlView: View {
        @Binding var draft: FlagsBrowserDraft

        var body: some View {
            if let rule = draft.flag.rule { Text(verbatim: rule).font(.footnote).foregroundStyle(.secondary) }
            switch draft.flag.control {
            case .toggle:
                Toggle(browser: "On", isOn: $draft.isOn)
            case .integer:
                Stepper {
                    TextField(browser: "Value", text: $draft.text)
                } onIncrement: {
                    draft.step(by: 1)
                } onDecrement: {
                    draft.step(by: -1)
                }
            case .number(let range):
                TextField(browser: "Value", text: $draft.text)
                if let range { Slider(value: $draft.number, in: range) { Text(browser: "Value") } }
            case .text:
                TextField(browser: "Value", text: $draft.text).autocorrectionDisabled()
            case .choice(let options):
                Picker(browser: "Value", selection: $draft.text) {
                    ForEach(options) { option in Text(verbatim: option.label).tag(option.id) }
                }
            case .date:
                DatePicker(selection: $draft.date) { Text(browser: "Value") }
            case .json:
                TextEditor(text: $draft.text).font(.body.monospaced()).autocorrectionDisabled()
            }
        }
    }
#endif
