public import TacklineCore

extension WeightedVariants where Value: FlagValue {
    /// The evaluation that the equal definition would give, for an ``ExposureRecorder`` for example: the variant with the
    /// reason `SPLIT`, and no opinion with the reason `DEFAULT` for a subject that has no variant.
    public func evaluate(for context: EvaluationContext) -> FlagEvaluation {
        guard let variant = variant(for: context) else {
            return FlagEvaluation(flagKey: flagKey, outcome: .noOpinion, reason: .default)
        }
        do throws(FlagValueError) {
            let value = try variant.value.encoded
            return FlagEvaluation(flagKey: flagKey, outcome: .value(value), variant: variant.name, reason: .split)
        } catch {
            return .failure(
                .general, "the variant \"\(variant.name)\" has no neutral form: \(error)", of: flagKey, metadata: [:])
        }
    }

    /// Returns the definition of the flag, in flagd's format, that equals these variants by targeting key. It has no default
    /// variant, so who has none is left to the next provider.
    ///
    /// Of several variants with one name the definition has the value of the first.
    ///
    /// - Throws: `FlagValueError` if a value has no neutral form.
    public func definition() throws(FlagValueError) -> EncodedFlagValue {
        var values: [String: EncodedFlagValue] = [:]
        for variant in variants where values[variant.name] == nil { values[variant.name] = try variant.value.encoded }
        return .object([
            "state": .string("ENABLED"),
            "variants": .object(values),
            "targeting": .object([
                "fractional": .array(
                    variants.map { .array([.string($0.name), .integer(Int128(max(0, $0.weight)))]) })
            ]),
        ])
    }
}
