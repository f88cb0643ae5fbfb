public import TacklineCore

/// The flags to vary in combinations, with their values.
public struct FlagVariations: Sendable {
    /// A varied flag, or the reason why it can't be varied.
    struct Factor: Sendable {
        var choices: [FlagChoice] = []
        var issue: FlagError?

        /// A scope for each value.
        var values: [ScopedFlagValues] {
            issue.map { issue in [ScopedFlagValues { $0.report(issue) }] } ?? choices.map(\.values)
        }
    }

    private(set) var factors: [Factor] = []

    init(_ body: (inout FlagVariations) -> Void) { body(&self) }

    /// Varies a flag over some values. Without values it does nothing. Values of a flag that is varied already are added.
    public mutating func vary<Collection: FlagCollectionProtocol, Value: FlagValue>(
        _ flag: KeyPath<Collection, Value>, over values: [Value]
    ) {
        add(flag) { handle in values.map { FlagChoice(of: handle, ErasedFlagValue($0)) } }
    }

    /// Varies a flag over all its values: `false` and `true`, the cases of a type that lists at most 32, and `nil` of an
    /// optional. For a flag with bounds they are its default, and the least and the greatest value or those of the list.
    ///
    /// A flag with other values is a mistake that fails the test: name its values.
    public mutating func vary<Collection: FlagCollectionProtocol, Value: FlagValue>(
        _ flag: KeyPath<Collection, Value>
    ) {
        add(flag) { handle throws(FlagError) in
            let (own, choices) = (FlagChoice(of: handle, handle.declaration.defaultValue), handle.choices)
            let all = choices.contains(own) ? choices : [own] + choices
            guard all.count > 1 else {
                let message = "\(handle.property) has too many values to try. Name some: vary(_:over:)."
                throw FlagError(.unusableSetting, message)
            }
            return all
        }
    }

    private mutating func add<Collection: FlagCollectionProtocol, Value: FlagValue>(
        _ flag: KeyPath<Collection, Value>, _ choices: (AnyFlagHandle) throws(FlagError) -> [FlagChoice]
    ) {
        var factor = Factor()
        do throws(FlagError) {
            let ordinal = try FlagProbe<Collection>.ordinal(of: flag)
            factor.choices = try choices(FlagProbe<Collection>.flags[ordinal])
        } catch {
            factor.issue = error
        }
        guard let own = factor.choices.first?.flag.identity,
            let index = factors.firstIndex(where: { $0.choices.first?.flag.identity == own })
        else { return factor.values.isEmpty ? () : factors.append(factor) }
        factors[index].choices += factor.choices.filter { !factors[index].choices.contains($0) }
    }
}
