#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif
import Synchronization
public import TacklineCore

// Foundation: `Data` is what files and reports take.

extension FlagOverrides {
    /// The overrides that have not expired, by key.
    public var overrides: [FlagOverride] {
        let now = now()
        return state.withLock { $0.overrides }.values
            .filter { !$0.isExpired(at: now) }
            .sorted { $0.key.text < $1.key.text }
    }

    /// Returns the overrides as JSON (``FlagOverrideBundle``), for a bug report or the set-up of a test.
    ///
    /// JSON has no bytes and no dates: they come back as texts, which flags of those types take.
    ///
    /// - Throws: `FlagError` where overrides are not allowed.
    public func exportBundle() throws(FlagError) -> Data {
        try throwIfNotAllowed()
        do throws(FlagValueError) {
            return try FlagJSONWriter().data(of: FlagOverrideBundle(overrides).encoded)
        } catch {
            throw FlagError(
                .unsupportedValue, provider: name, reason: "the overrides cannot be written as JSON: \(error)",
                advice: "Remove the override of that value, and export again")
        }
    }

    /// Takes the overrides of a bundle, all or none. Expired ones are skipped.
    ///
    /// - Parameters:
    ///   - json: A bundle that ``exportBundle()`` wrote, of at most 1 MiB.
    ///   - isReplacing: Whether overrides that the bundle does not have are removed.
    /// - Throws: `FlagError` where overrides are not allowed, if it is not such a bundle, and if the storage could not keep it.
    ///   Nothing has changed then.
    public func importBundle(
        _ json: Data, replacing isReplacing: Bool = false
    ) throws(FlagError) {
        try throwIfNotAllowed()
        let bundle = try bundle(in: json)
        let now = now()
        try change { overrides in
            if isReplacing { overrides = [:] }
            for override in bundle.overrides where !override.isExpired(at: now) {
                overrides[FlagOverride.Name(override.key)] = override
            }
        }
    }

    private func bundle(in json: Data) throws(FlagError) -> FlagOverrideBundle {
        var limits = FlagJSONReader.Limits()
        limits.maximumBytes = 1 << 20
        let reason: String
        do throws(FlagJSONError) {
            let value = try FlagJSONReader(limits: limits).read(json)
            do throws(FlagValueError) {
                return try FlagOverrideBundle(encoded: value)
            } catch {
                reason = error.description
            }
        } catch {
            reason = error.description
        }
        throw FlagError(
            .unreadable, provider: name, reason: "the bundle cannot be read: \(reason)",
            advice: "Import what exportBundle() wrote")
    }
}
