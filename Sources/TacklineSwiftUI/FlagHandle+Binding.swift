#if canImport(SwiftUI)
    public import SwiftUI
    public import TacklineCore

    extension FlagHandle {
        /// A binding to the flag: `Toggle("New checkout", isOn: flags.$newCheckout.binding(writingTo: "overrides"))`.
        ///
        /// What goes wrong in a write goes to the issue reporter, and the value stays. It has no effect on a flag without
        /// a loader.
        ///
        /// - Parameter provider: The id of the provider that is written to; `nil` for the first writable one.
        @MainActor
        public func binding(writingTo provider: String? = nil) -> Binding<Value> {
            Binding(
                get: { @MainActor in value },
                set: { @MainActor in setValueFromView($0, providerNamed: provider) })
        }
    }
#endif
