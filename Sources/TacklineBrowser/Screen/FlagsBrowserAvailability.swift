public import TacklineComposition

/// Where a browser may be opened inside an app.
///
/// | | debug build | simulator | TestFlight | App Store |
/// |---|---|---|---|---|
/// | ``outsideProduction`` | yes | yes | yes, but on macOS | no |
/// | ``debugBuilds`` | yes | debug builds | no | no |
/// | ``dangerouslyEverywhere`` | yes | yes | yes | yes |
///
/// It goes by `DeploymentEnvironment`, which for `.detected` tells these apart in the way that is said there. To leave the
/// browser out of a release altogether, put `#if DEBUG` around the code that opens it.
public struct FlagsBrowserAvailability: Sendable {
    private let isAdmitted: @Sendable (DeploymentEnvironment) -> Bool

    /// Makes a rule of your own, such as "employees only".
    ///
    /// - Parameter isAdmitted: Called on any thread, each time that the browser is to be shown.
    public init(_ isAdmitted: @escaping @Sendable (DeploymentEnvironment) -> Bool) {
        self.isAdmitted = isAdmitted
    }

    /// Everywhere but where customers are.
    public static let outsideProduction = FlagsBrowserAvailability { !$0.isProduction }

    /// Only in builds in which this library was built for debugging.
    public static let debugBuilds = FlagsBrowserAvailability { _ in
        #if DEBUG
            true
        #else
            false
        #endif
    }

    /// Also where customers are. Search for the name to find every such place.
    ///
    /// The browser still only shows flags there, unless it has
    /// ``FlagsBrowserAccess/dangerouslyEditingInProduction``.
    public static let dangerouslyEverywhere = FlagsBrowserAvailability { _ in true }

    /// Whether the browser may be opened.
    public func admits(_ environment: DeploymentEnvironment = .detected) -> Bool { isAdmitted(environment) }
}
