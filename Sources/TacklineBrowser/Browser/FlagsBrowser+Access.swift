public import TacklineCore

extension FlagsBrowser {
    /// The access that a browser gives to flags.
    public enum Access: Sendable, Hashable {
        /// Shows and edits flags. In production it only shows them, unless the loaders' environment admits overrides
        /// there.
        case full
        /// Only shows flags.
        case readOnly
        /// Shows and edits flags, also where customers use the program. The long name makes every use easy to search
        /// for.
        case dangerouslyEditingInProduction
    }

    /// A rule that decides where a browser may be opened inside an app.
    ///
    /// | | debug build | simulator | TestFlight | App Store |
    /// |---|---|---|---|---|
    /// | ``whereOverridesAreAllowed`` | yes | yes | if the app opts in | no |
    /// | ``debugBuilds`` | yes | debug builds | no | no |
    /// | ``dangerouslyEverywhere`` | yes | yes | yes | yes |
    ///
    /// The first row is for loaders without `FlagOverrides` that decide with a closure `isAllowed`. With them, their
    /// closure decides in every column. To leave the browser out of a release altogether, put `#if DEBUG` around the
    /// code that opens it.
    public struct Availability: Sendable {
        private let rule: @Sendable (FlagsBrowser) -> Bool

        /// Creates a rule of your own.
        ///
        /// - Parameter isAdmitted: Returns whether the browser may be shown. It is called on any thread, each time that
        ///   the browser is to be shown.
        public init(_ isAdmitted: @escaping @Sendable (DeploymentEnvironment) -> Bool) {
            self.init(rule: { isAdmitted($0.environment) })
        }

        private init(rule: @escaping @Sendable (FlagsBrowser) -> Bool) { self.rule = rule }

        /// A rule that follows ``FlagsBrowser/allowsOverrides``: it admits the browser outside of production, and in
        /// production for the people to whom the closure `isAllowed` of `FlagOverrides` allows overrides.
        public static let whereOverridesAreAllowed = Availability(rule: { $0.allowsOverrides })

        /// A rule that admits builds in which this library was compiled for debugging.
        public static let debugBuilds = Availability(rule: { _ in
            #if DEBUG
                true
            #else
                false
            #endif
        })

        /// A rule that also admits production, for everybody. The long name makes every use easy to search for.
        ///
        /// The browser still only shows flags there, unless it has ``Access/dangerouslyEditingInProduction``.
        public static let dangerouslyEverywhere = Availability(rule: { _ in true })

        /// Returns whether a browser may be opened.
        public func admits(_ browser: FlagsBrowser) -> Bool { rule(browser) }
    }

    /// Whether overrides are allowed at present, and so whether flags may be edited here.
    ///
    /// `FlagOverrides` with a closure `isAllowed` decide for their loader each time this property is read. For other
    /// loaders the strictest environment decides. The result is `true` if at least one loader allows overrides.
    public var allowsOverrides: Bool {
        let layouts = currentLayouts()
        return layouts.isEmpty ? environment.admitsOverrides : layouts.contains { chain(of: $0).allowsOverrides }
    }

    /// The reason why nothing can be edited, or `nil` if something can.
    var readOnlyReason: FlagsBrowserError? {
        switch access {
        case .dangerouslyEditingInProduction: nil
        case .readOnly: FlagsBrowserError(.readOnly, "This browser only shows flags.")
        case .full: allowsOverrides ? nil : notAllowed
        }
    }

    private var notAllowed: FlagsBrowserError {
        FlagsBrowserError(
            .production,
            environment.admitsOverrides
                ? "Flags are not edited now, because the app does not allow overrides (isAllowed)."
                : """
                Flags are not edited in environment "\(environment)", which customers use. Use another build, or say \
                with FlagOverrides(…, isAllowed:) who may edit them.
                """)
    }

    /// Returns the reason why a flag can't be edited, or `nil` if it can.
    func refusal(of flag: FlagsBrowserFlag, in chain: BrowserChain) -> FlagsBrowserError? {
        switch access {
        case .dangerouslyEditingInProduction: break
        case .readOnly: return readOnlyReason
        case .full: if !chain.allowsOverrides { return notAllowed }
        }
        if flag.metadata.isLocked {
            return FlagsBrowserError(
                .locked,
                "Flag \(flag.key.quoted) is locked, so it can only be looked at. Its declaration says so.")
        }
        if chain.defaultDestination == nil {
            return FlagsBrowserError(
                .noDestination,
                """
                Flag \(flag.key.quoted) cannot be edited, since no provider of its chain can be written to. Add \
                FlagOverrides or a MemoryProvider at the start of the chain.
                """)
        }
        return nil
    }
}
