/// Whom the flags of a provider are evaluated for.
public enum FlagContextSource: Sendable {
    /// Always this context.
    case fixed(EvaluationContext)
    /// The app's one context, which may change. Changes of it, as of the document, announce exactly the flags whose value
    /// is different, so a loader keeps the values, and reading a flag costs what it costs without rules. It takes no notice
    /// of `withEvaluationContext`.
    case current(CurrentContext)
    /// The context of the task in which a flag is read, as `withEvaluationContext` sets it;
    /// outside of that the fallback. Since every request has its own, no value is kept, and each read of a flag that
    /// reaches the provider evaluates its rule. ``/TacklineCore/FlagProvider/observe(_:)`` refuses observers.
    case task(fallback: EvaluationContext = EvaluationContext())
}
