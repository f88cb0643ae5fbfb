/// Whether reads of a loader's flags are registered with Observation.
///
/// A registered read costs little more than what `ObservationRegistrar.access` itself costs, some ten nanoseconds. Where
/// reads are not registered, Observation costs them nothing.
public enum FlagObservationMode: Sendable, Hashable {
    /// Registered where the platform has SwiftUI, and from when the loader is first injected into a view.
    case automatic
    /// Registered.
    case tracked
    /// Never registered, not even when the loader is injected into a view.
    case untracked
}
