#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif
public import TacklineCore

/// The settings of a flag browser.
public struct FlagsBrowserConfiguration: Sendable {
    /// The title that user interfaces show for the browser.
    public var title = "Feature flags"
    /// The access that the browser gives.
    public var access = FlagsBrowserAccess.full
    /// The id of the provider that edits go to if a command names none.
    ///
    /// If it is `nil`, or names a provider that a chain doesn't have or that can't be written to, edits go to the
    /// override layer: the first writable provider that is marked as one, or else the first writable provider in
    /// resolution order.
    public var destination: String?
    /// Whether flags and collections that are marked as internal are shown.
    public var showsInternalFlags = false
    /// The provider that stores the pins, as an array of flag ids under ``pinsKey``. If it is `nil`, the pins are lost
    /// with the browser.
    public var pins: (any WritableFlagProvider)?
    /// The number of edits that can be undone.
    public var undoLimit = 100
    /// The number of recent changes that are kept. At most a tenth of them belong to one flag, so that a flag that
    /// changes often doesn't displace the changes of others.
    public var recentChangesLimit = 200
    /// Returns the present time, which decides what has expired and dates the changes.
    public var now: @Sendable () -> Date = { Date() }

    /// The key under which pins are stored. Don't give a flag the same key.
    public static let pinsKey = FlagKeyPath(components: ["tackline-browser-pins"])

    /// Creates a configuration with the default of every property.
    public init() {}

    /// Creates a configuration with the given title, access and pins, and the default of every other property.
    public init(title: String, access: FlagsBrowserAccess = .full, pins: (any WritableFlagProvider)? = nil) {
        self.title = title
        self.access = access
        self.pins = pins
    }
}

/// The access that a browser gives to flags.
public enum FlagsBrowserAccess: Sendable, Hashable {
    /// Shows and edits flags. In production it only shows them, unless the loaders' environment admits overrides there.
    case full
    /// Only shows flags.
    case readOnly
    /// Shows and edits flags, also where customers use the program. The long name makes every use easy to search for.
    case dangerouslyEditingInProduction
}
