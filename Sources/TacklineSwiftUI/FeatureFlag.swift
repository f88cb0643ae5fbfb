#if canImport(SwiftUI)
    public import SwiftUI
    public import TacklineCore

    /// A flag's value in a view, which is drawn again when the value changes.
    ///
    /// ```swift
    /// @FeatureFlag(\AppFlags.newCheckout) private var newCheckout
    /// @FeatureFlag("secrets/boom_feature", default: false) private var boomFeature
    /// ```
    ///
    /// The loader comes from ``SwiftUICore/View/flags(_:)`` on an outer view. Without one the value is the default, and that
    /// is reported. The projection `$newCheckout` is a binding that writes to a provider.
    @MainActor @propertyWrapper
    public struct FeatureFlag<Value: FlagValue>: DynamicProperty {
        @Environment(\.injectedFlags) private var injected
        private let read: @Sendable (InjectedFlags) -> Value
        private let write: @Sendable (Value, InjectedFlags) -> Void

        /// Uses the flag at a key path.
        ///
        /// - Parameters:
        ///   - flag: The key path from the root collection: `\AppFlags.newCheckout`.
        ///   - provider: The id of the provider that the binding writes to, or `nil` for the first writable one.
        public init<Collection: FlagCollectionProtocol>(
            _ flag: any KeyPath<Collection, Value> & Sendable, writingTo provider: String? = nil
        ) {
            read = { $0.value(at: flag) }
            write = { value, injected in injected.setValue(value, at: flag, providerNamed: provider) }
        }

        /// Uses the flag with a key that is given as text, in the innermost loader that has it.
        ///
        /// - Parameters:
        ///   - path: The flag's key: `"secrets/boom_feature"`.
        ///   - default: The value if there is no such flag of this type, which is reported.
        ///   - provider: The id of the provider that the binding writes to, or `nil` for the first writable one.
        public init(_ path: String, default defaultValue: Value, writingTo provider: String? = nil) {
            read = { $0.value(atPath: path, as: Value.self) ?? defaultValue }
            write = { value, injected in injected.setValue(value, atPath: path, providerNamed: provider) }
        }

        /// The current value.
        public var wrappedValue: Value { read(injected) }

        /// A binding to the flag. A write that fails is reported, and the control shows the old value again.
        public var projectedValue: Binding<Value> {
            let (injected, read, write) = (injected, read, write)
            return Binding(get: { @MainActor in read(injected) }, set: { @MainActor in write($0, injected) })
        }
    }
#endif
