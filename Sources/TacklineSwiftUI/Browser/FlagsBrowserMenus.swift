#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
    import SwiftUI
    import TacklineBrowser

    /// The filters of the list.
    struct FlagsBrowserFilterMenu: View {
        @Bindable var screen: FlagsBrowserScreen

        var body: some View {
            Menu {
                ForEach(FlagsBrowserFilter.Property.allCases, id: \.self) { property in
                    Toggle(browserText(property.title), isOn: $screen.filter[property])
                }
                Button(browserText("Show all flags")) { screen.filter = FlagsBrowserFilter() }
                    .disabled(screen.filter == FlagsBrowserFilter())
            } label: {
                Label(browserText("Filter"), systemImage: "line.3.horizontal.decrease.circle")
            }
        }
    }

    /// The actions for all flags.
    struct FlagsBrowserActionMenu: View {
        @Bindable var screen: FlagsBrowserScreen
        @State private var isImporting = false
        @State private var isExporting = false
        @State private var isConfirming = false

        var body: some View {
            Menu {
                FlagsBrowserDestinationPicker(screen: screen)
                if let edit = screen.lastEdit {
                    Button {
                        screen.undo()
                    } label: {
                        Text(browserText("Undo: %@", edit.message))
                    }
                }
                Button(browserText("Share overrides…")) { isExporting = true }
                Group {
                    Button(browserText("Import overrides…")) { isImporting = true }
                    Button(browserText("Reset all flags…"), role: .destructive) { isConfirming = true }
                }
                .disabled(screen.snapshot.map { $0.readOnlyReason != nil } ?? true)
            } label: {
                Label(browserText("More"), systemImage: "ellipsis.circle")
            }
            .confirmationDialog(
                browserText("Reset all flags?"), isPresented: $isConfirming, titleVisibility: .visible
            ) {
                Button(browserText("Reset"), role: .destructive) {
                    screen.begin(.resetAll(destination: screen.destination))
                }
            }
            .sheet(isPresented: $isImporting) { FlagsBrowserImport(screen: screen) }
            .sheet(isPresented: $isExporting) { FlagsBrowserExport(screen: screen) }
        }
    }

    /// A picker of the provider that edits go to.
    struct FlagsBrowserDestinationPicker: View {
        @Bindable var screen: FlagsBrowserScreen

        var body: some View {
            Picker(browserText("Write to"), selection: $screen.destination) {
                Text(browserText("The override layer")).tag(String?.none)
                ForEach(screen.snapshot?.destinations ?? []) { provider in
                    Text(verbatim: provider.id).tag(Optional(provider.id))
                }
            }
        }
    }

    extension FlagsBrowserFilter {
        /// Whether only flags with a property are listed.
        fileprivate subscript(property: Property) -> Bool {
            get { properties.contains(property) }
            set { if newValue { properties.insert(property) } else { properties.remove(property) } }
        }
    }

    extension FlagsBrowserFilter.Property {
        fileprivate var title: String {
            switch self {
            case .overridden: "Overridden"
            case .notDefault: "Not default"
            case .expired: "Expired"
            case .refused: "Refused"
            }
        }
    }
#endif
