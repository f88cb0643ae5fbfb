/// When a flag takes a new value.
///
/// ```swift
/// @Flag(default: .classic, updatePolicy: .session, description: "The look of the checkout")
/// var checkoutStyle: CheckoutStyle
/// ```
///
/// A held flag is fixed when its value is read for the first time; asking for explanations, resolutions and snapshots
/// fixes nothing. What is held is what it computes or what its chain came to, so a flag may be held at its default.
/// These are not held back:
/// - a value that a test scopes to the current task;
/// - overrides (``FlagOverrideProvider``): they are asked at each read, and go before what is held wherever they stand
///   before the provider that it came from;
/// - a write or a new default through the flag itself: it shows at once where the provider that was written to answers
///   for the flag before or after it;
/// - a change of the mode (`FlagModeSwitch`), which fixes all flags anew.
public enum FlagUpdatePolicy: String, Sendable, Hashable, CaseIterable {
    /// Each read gives the present value.
    case live
    /// Fixed from the first read until the app begins a new session with ``FlagsLoader/beginSession()``.
    case session
    /// Fixed from the first read for as long as the loader lives: until the app is launched again.
    case nextLaunch = "next-launch"
}

extension FlagUpdatePolicy: CustomStringConvertible {
    /// `live`, `session` or `next-launch`.
    public var description: String { rawValue }
}
