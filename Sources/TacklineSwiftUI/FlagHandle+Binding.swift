#if canImport(SwiftUI)
    public import SwiftUI
    public import TacklineCore

    extension FlagHandle {
        /// A binding to the flag: `Toggle("New checkout", isOn: flags.$newCheckout.binding(writingTo: "overrides"))`.
        ///
        /// A write that fails is reported to the issue reporter, and the control shows the old value again. A flag
        /// without a loader is never written.
        ///
        /// - Parameter provider: The id of the provider that the binding writes to, or `nil` for the first writable
        ///   one.
        @MainActor
        public func binding(writingTo provider: String? = nil) -> Binding<Value> {
            Binding(
                get: { @MainActor in value },
                set: { @MainActor in setValueFromView($0, providerNamed: provider) })
        }
    }
#endif
