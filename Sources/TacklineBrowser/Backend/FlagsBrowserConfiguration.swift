#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif
public import TacklineCore

/// How a browser is set up.
public struct FlagsBrowserConfiguration: Sendable {
    /// The title that faces show for the browser.
    public var title = "Feature flags"
    /// What the browser may do.
    public var access = FlagsBrowserAccess.full
    /// The id of the provider that edits go to if a command names none.
    ///
    /// `nil`, and an id that a chain does not have or that cannot be written to, is the override layer: the first
    /// writable provider that is marked as one, else the first writable provider that is asked.
    public var destination: String?
    /// Whether flags and collections that are marked as internal are shown.
    public var showsInternalFlags = false
    /// Keeps the pins, as an array of flag ids under ``pinsKey``: a file, user defaults. `nil` for pins that are forgotten
    /// with the browser.
    public var pins: (any WritableFlagProvider)?
    /// How many edits can be undone.
    public var undoLimit = 100
    /// How many recent changes are remembered. Of one flag it is a tenth of them at most, so that one that changes often
    /// leaves those of others.
    public var recentChangesLimit = 200
    /// The present moment, which expiry goes by and changes are dated with.
    public var now: @Sendable () -> Date = { Date() }

    /// The key under which pins are kept. Do not give a flag the same one.
    public static let pinsKey = FlagKeyPath(components: ["tackline-browser-pins"])

    /// Makes a configuration with the default of every property.
    public init() {}

    /// Makes a configuration with the given title, access and pins, and the default of every other property.
    public init(title: String, access: FlagsBrowserAccess = .full, pins: (any WritableFlagProvider)? = nil) {
        self.title = title
        self.access = access
        self.pins = pins
    }
}
