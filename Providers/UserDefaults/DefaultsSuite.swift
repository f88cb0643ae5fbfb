import Foundation
import TacklineCore

// Foundation: it provides the containers of App Groups.

/// Functions that check the name of a suite of user defaults.
enum DefaultsSuite {
    /// Returns the reason why a suite can't be used and what to do about it, or `nil` if it can be used.
    ///
    /// For an App Group without the entitlement, the system silently creates user defaults that no other process
    /// shares.
    ///
    /// - Parameters:
    ///   - suiteName: The suite, or `nil` for the standard user defaults.
    ///   - exists: Whether the platform has user defaults with this name.
    ///   - hasContainer: Returns whether this process may use an App Group.
    static func problem(
        with suiteName: String?, exists: Bool, hasContainer: (String) -> Bool = mayUse(appGroup:)
    ) -> (reason: String, advice: String)? {
        guard let suiteName else { return nil }
        guard exists else {
            return (
                "there are no user defaults of the suite \"\(suiteName)\"",
                "Name an App Group or a suite of your own, not the app's identifier; nil means the standard ones"
            )
        }
        guard suiteName.hasPrefix("group."), !hasContainer(suiteName) else { return nil }
        return (
            "this process may not use the App Group \"\(suiteName)\", so no other process would see its values",
            "Give the App Groups capability with this group to each target that uses it, the app and its extensions; for "
                + "a suite that is not an App Group, choose a name without \"group.\" in front"
        )
    }

    /// Returns whether this process may use an App Group, as far as the system reports it.
    ///
    /// macOS has a path for any name, and platforms other than Apple's have no App Groups.
    static func mayUse(appGroup: String) -> Bool {
        #if canImport(Darwin) && !os(macOS)
            FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: appGroup) != nil
        #else
            true
        #endif
    }
}
