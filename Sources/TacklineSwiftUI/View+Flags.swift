#if canImport(SwiftUI)
    public import SwiftUI
    public import TacklineCore

    private struct InjectedFlagsKey: EnvironmentKey {
        static let defaultValue = InjectedFlags()
    }

    extension EnvironmentValues {
        /// The loaders that were injected around a view. Each is also the environment's object of its type.
        var injectedFlags: InjectedFlags {
            get { self[InjectedFlagsKey.self] }
            set {
                self[InjectedFlagsKey.self] = newValue
                for loader in newValue.loaders { setObject(loader) }
            }
        }

        private mutating func setObject<Loader: InjectedLoader>(_ loader: Loader) {
            self[Loader.self] = loader
        }
    }

    extension View {
        /// Injects loaders into this view and the views in it: `.flags(userFlags, searchFlags)`.
        ///
        /// Views read them with ``FeatureFlag`` or with `@Environment(FlagsLoader<AppFlags>.self)`. A loader replaces
        /// one of the same collection from an outer view; loaders of other collections stay. Views that read its flags
        /// are drawn again when those flags change, and only then. For that, its reads are registered with Observation
        /// from now on, unless it was made with ``/TacklineCore/FlagObservationMode/untracked``.
        public func flags<each Collection: FlagCollectionProtocol>(
            _ loaders: repeat FlagsLoader<each Collection>
        ) -> some View {
            var added = InjectedFlags()
            for loader in repeat each loaders { added.add(loader) }
            let all = added
            return transformEnvironment(\.injectedFlags) { $0.add(all) }
        }

        /// Injects flags with fixed values, for a part of a preview:
        /// `.flags(AppFlags.self) { $0.set(\.newCheckout, to: true) }`.
        ///
        /// The values belong to this view. Changing one through a binding changes it here and nowhere else.
        public func flags<Collection: FlagCollectionProtocol>(
            _ type: Collection.Type, _ values: (inout FlagAssignments<Collection>) -> Void
        ) -> some View {
            modifier(FlagPreviewInjection(values: FlagAssignments(values)))
        }

        /// Leads to a destination while a flag is on, and to another one while it is off.
        ///
        /// The links stay as they are. A destination that is already shown follows the flag.
        public func navigationDestination<
            Data: Hashable, Collection: FlagCollectionProtocol, Destination: View, Alternative: View
        >(
            for data: Data.Type, if flag: any KeyPath<Collection, Bool> & Sendable,
            @ViewBuilder destination: @escaping (Data) -> Destination,
            @ViewBuilder otherwise alternative: @escaping (Data) -> Alternative
        ) -> some View {
            navigationDestination(for: data) { value in
                FlagDestination(
                    flag: FeatureFlag(flag), destination: destination(value), alternative: alternative(value))
            }
        }
    }

    extension PreviewTrait where T == Preview.ViewTraits {
        /// Injects flags with fixed values into a preview.
        ///
        /// ```swift
        /// #Preview(traits: .flags(AppFlags.self) { $0.set(\.newCheckout, to: true) }) {
        ///     CheckoutScreen()
        /// }
        /// ```
        ///
        /// The values are injected into the environment of this preview alone, so no other preview sees them.
        @MainActor
        public static func flags<Collection: FlagCollectionProtocol>(
            _ type: Collection.Type, _ values: (inout FlagAssignments<Collection>) -> Void
        ) -> PreviewTrait<T> {
            .modifier(FlagPreview(values: FlagAssignments(values)))
        }
    }

    /// Injects a loader with the values of a preview. Each view that it modifies has a loader of its own.
    private struct FlagPreviewInjection<Collection: FlagCollectionProtocol>: ViewModifier {
        @State private var loader: FlagsLoader<Collection>

        init(values: FlagAssignments<Collection>) {
            _loader = State(initialValue: values.makePreviewLoader())
        }

        func body(content: Content) -> some View {
            content.flags(loader)
        }
    }

    /// The injection as a modifier of previews. It has no shared context, because Xcode shares one among previews.
    private struct FlagPreview<Collection: FlagCollectionProtocol>: PreviewModifier {
        let values: FlagAssignments<Collection>

        func body(content: Content, context: Void) -> some View {
            content.modifier(FlagPreviewInjection(values: values))
        }
    }

    /// A destination that depends on a flag.
    private struct FlagDestination<Destination: View, Alternative: View>: View {
        let flag: FeatureFlag<Bool>
        let destination: Destination
        let alternative: Alternative

        var body: some View {
            if flag.wrappedValue { destination } else { alternative }
        }
    }
#endif
