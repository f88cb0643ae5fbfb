import Observation
import Tackline

/// A model that keeps what a flag says, and notes every change.
@Observable final class ThemeModel {
    private(set) var theme: Theme
    private(set) var changeCount = 0
    @ObservationIgnored private var observations: [FlagObservation] = []

    init(_ flags: FlagsLoader<AppFlags>) {
        theme = flags.theme
        // The closures run on the main actor, as this class does.
        observations = [
            flags.$theme.observeValues { [weak self] theme in self?.theme = theme },
            flags.root.observeChanges { [weak self] _ in self?.changeCount += 1 },
        ]
    }
}
