public import TacklineCore

/// A rule that decides where a browser may be opened inside an app.
///
/// | | debug build | simulator | TestFlight | App Store |
/// |---|---|---|---|---|
/// | ``whereOverridesAreAllowed`` | yes | yes | if the app opts in | no |
/// | ``debugBuilds`` | yes | debug builds | no | no |
/// | ``dangerouslyEverywhere`` | yes | yes | yes | yes |
///
/// The first row is for loaders without `FlagOverrides` that decide with a closure `isAllowed`. With them, their
/// closure decides in every column. To leave the browser out of a release altogether, put `#if DEBUG` around the code
/// that opens it.
public struct FlagsBrowserAvailability: Sendable {
    /// The rule of the app, or `nil` for the one of the overrides.
    private let rule: (@Sendable (DeploymentEnvironment) -> Bool)?

    private init(rule: (@Sendable (DeploymentEnvironment) -> Bool)?) { self.rule = rule }

    /// Creates a rule of your own.
    ///
    /// - Parameter isAdmitted: Returns whether the browser may be shown. It is called on any thread, each time that the
    ///   browser is to be shown.
    public init(_ isAdmitted: @escaping @Sendable (DeploymentEnvironment) -> Bool) { self.init(rule: isAdmitted) }

    /// A rule that follows ``FlagsBrowser/allowsOverrides``: it admits the browser outside of production, and in
    /// production for the people to whom the closure `isAllowed` of `FlagOverrides` allows overrides.
    public static let whereOverridesAreAllowed = FlagsBrowserAvailability(rule: nil)

    /// A rule that admits builds in which this library was compiled for debugging.
    public static let debugBuilds = FlagsBrowserAvailability { _ in
        #if DEBUG
            true
        #else
            false
        #endif
    }

    /// A rule that also admits production, for everybody. The long name makes every use easy to search for.
    ///
    /// The browser still only shows flags there, unless it has
    /// ``FlagsBrowserAccess/dangerouslyEditingInProduction``.
    public static let dangerouslyEverywhere = FlagsBrowserAvailability { _ in true }

    /// Returns whether a browser may be opened.
    public func admits(_ browser: FlagsBrowser) -> Bool { rule?(browser.environment) ?? browser.allowsOverrides }
}
