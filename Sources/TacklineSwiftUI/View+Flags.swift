#if canImport(SwiftUI)
    public import SwiftUI
    public import TacklineCore

    private struct InjectedFlagsKey: EnvironmentKey {
        static let defaultValue = InjectedFlags()
    }

    extension EnvironmentValues {
        /// The loaders that views around this one injected.
        var injectedFlags: InjectedFlags {
            get { self[InjectedFlagsKey.self] }
            set { self[InjectedFlagsKey.self] = newValue }
        }
    }

    extension View {
        /// Gives loaders to this view and the views in it, beside those that are there: `.flags(userFlags, searchFlags)`.
        ///
        /// A loader replaces one of the same collection from further out. Views that read its flags are drawn again when
        /// those change, and only then; for that, its reads are registered with Observation from now on, unless it was
        /// made with ``/TacklineCore/FlagObservationMode/untracked``.
        public func flags<each Collection: FlagCollectionProtocol>(
            _ loaders: repeat FlagsLoader<each Collection>
        ) -> some View {
            var added = InjectedFlags()
            for loader in repeat each loaders { added.add(loader) }
            let all = added
            return transformEnvironment(\.injectedFlags) { $0.add(all) }
        }

        /// Gives this view flags with fixed values, for a preview: `.previewFlags(AppFlags.self, .allOn)`.
        public func previewFlags<Collection: FlagCollectionProtocol>(
            _ type: Collection.Type, _ values: FlagPreviewValues
        ) -> some View {
            modifier(FlagPreviewModifier<Collection>(values: values))
        }

        /// Shows this view while a flag is on, and another one, or nothing, while it is off.
        public func shown<Collection: FlagCollectionProtocol, Alternative: View>(
            if flag: any KeyPath<Collection, Bool> & Sendable,
            @ViewBuilder otherwise alternative: @escaping () -> Alternative = { EmptyView() }
        ) -> some View {
            modifier(FlagGateModifier(flag: FeatureFlag(flag), alternative: alternative))
        }

        /// Leads to a destination while a flag is on, and to another one while it is off.
        ///
        /// Links to the data stay where they are; what they lead to follows the flag.
        public func navigationDestination<
            Data: Hashable, Collection: FlagCollectionProtocol, Destination: View, Alternative: View
        >(
            for data: Data.Type, if flag: any KeyPath<Collection, Bool> & Sendable,
            @ViewBuilder destination: @escaping (Data) -> Destination,
            @ViewBuilder otherwise alternative: @escaping (Data) -> Alternative
        ) -> some View {
            navigationDestination(for: data) { value in
                destination(value).shown(if: flag) { alternative(value) }
            }
        }
    }

    /// Keeps the loader of a preview.
    private struct FlagPreviewModifier<Collection: FlagCollectionProtocol>: ViewModifier {
        @State private var loader: FlagsLoader<Collection>

        init(values: FlagPreviewValues) {
            _loader = State(initialValue: values.loader(for: Collection.self))
        }

        func body(content: Content) -> some View {
            content.flags(loader)
        }
    }

    /// Shows one of two views.
    private struct FlagGateModifier<Alternative: View>: ViewModifier {
        let flag: FeatureFlag<Bool>
        let alternative: () -> Alternative

        func body(content: Content) -> some View {
            if flag.wrappedValue { content } else { alternative() }
        }
    }
#endif
