#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
    import SwiftUI
    import TacklineBrowser

    /// The control of a flag, what an edit would do, and the buttons that do it.
    struct FlagsBrowserEditor: View {
        @Bindable var state: FlagsBrowserViewState
        let flag: FlagsBrowserFlag
        @Binding var draft: FlagsBrowserDraft
        @State private var outlook: FlagsBrowserScreen.Notice?

        private var command: FlagsBrowserCommand { state.screen.command(for: draft) }

        var body: some View {
            if flag.isOptional { Toggle(browser: "Has a value", isOn: $draft.hasValue) }
            if draft.hasValue {
                FlagsBrowserControlView(draft: $draft)
                    .accessibilityLabel(Text(verbatim: flag.name))
            }
            FlagsBrowserDestinationPicker(state: state)
            if let outlook {
                Text(verbatim: outlook.message)
                    .font(.footnote)
                    .foregroundStyle(outlook.isFailure ? Color.red : Color.secondary)
            }
            Button(browser: "Set") { perform(command) }
                .disabled(outlook?.isFailure ?? true)
                .task(id: command) { outlook = await state.screen.outlook(of: command) }
            Button(browser: "Reset", role: .destructive) {
                perform(.reset(flag: flag.id, destination: state.destination))
            }
        }

        private func perform(_ command: FlagsBrowserCommand) {
            Task {
                guard await state.perform(command) != nil else { return }
                if let begun = await state.screen.draft(ofFlag: flag.id) { draft = begun }
            }
        }
    }

    /// The control that fits the flag's type.
    private struct FlagsBrowserControlView: View {
        @Binding var draft: FlagsBrowserDraft

        var body: some View {
            switch draft.flag.control {
            case .toggle:
                Toggle(browser: "On", isOn: $draft.isOn)
            case .integer:
                Stepper {
                    TextField(browser: "Integer", text: $draft.text)
                } onIncrement: {
                    draft.step(by: 1)
                } onDecrement: {
                    draft.step(by: -1)
                }
            case .number:
                TextField(browser: "Number", text: $draft.text)
            case .text:
                TextField(browser: "Text", text: $draft.text).autocorrectionDisabled()
            case .choice(let options):
                Picker(browser: "Value", selection: $draft.text) {
                    ForEach(options) { option in Text(verbatim: option.label).tag(option.id) }
                }
            case .date:
                DatePicker(selection: $draft.date) { Text(browser: "Date") }
            case .json:
                TextEditor(text: $draft.text).font(.body.monospaced()).autocorrectionDisabled()
            }
        }
    }
#endif
