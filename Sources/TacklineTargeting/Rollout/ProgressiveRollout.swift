#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif
public import TacklineCore

// Foundation: `Date` is the beginning and the end of a rollout.

/// A rollout to a percentage of subjects that grows, or shrinks, steadily between two dates.
///
/// ```swift
/// let rollout = ProgressiveRollout(of: "reservations", to: 100, from: monday, until: friday)
/// rollout.includes(user)
/// ```
///
/// It is the definition of a flag in flagd's format, evaluated in the app. Its weights are computed from
/// `$flagd.timestamp`, which every evaluator of flagd understands. Moving it to a document later therefore moves no
/// subject, and providers of the document change their values by themselves, at the second at which their user joins.
///
/// A subject that has joined stays. If the percentage decreases, the subjects that joined last leave first.
public struct ProgressiveRollout: Sendable {
    let flag: FlagDefinition

    /// Makes a rollout.
    ///
    /// - Parameters:
    ///   - flagKey: The key of the flag.
    ///   - startPercentage: The percentage of subjects that are included up to the first date, exact to a thousandth of
    ///     a percent. Less than 0 means 0, more than 100 means 100.
    ///   - endPercentage: The percentage from the second date on, likewise.
    ///   - start: The beginning of the change, to the second.
    ///   - end: The end of the change, to the second. If it is not later than `start`, everything changes at once, one
    ///     second after `start`.
    ///   - subject: The part of the context that identifies a subject.
    ///   - fractional: The generation of `fractional`. Everyone who reads the definition later must use the same one.
    public init(
        of flagKey: String, at startPercentage: Double = 0, to endPercentage: Double, from start: Date, until end: Date,
        by subject: RolloutSubject = .targetingKey, fractional: FractionalGeneration = .v2
    ) {
        let first = Self.thousandths(startPercentage)
        let last = Self.thousandths(endPercentage)
        let startSecond = Self.seconds(start)
        let duration = max(1, Self.seconds(end) - startSecond)
        // The weights are whole. Their sum is the duration times the scale that makes the percentages whole. The
        // duration is counted in steps, long enough to keep the sum below the limit.
        let common = Self.commonDivisor(Self.commonDivisor(first, abs(last - first)), 100_000)
        let scale = 100_000 / common
        let step = max(1, (duration * scale + FractionalShares.maximum - 1) / FractionalShares.maximum)
        let steps = max(1, duration / step)
        let total = steps * scale
        let elapsed: EncodedFlagValue = ["-": [["var": "$flagd.timestamp"], .integer(Int128(startSecond))]]
        let bounded: EncodedFlagValue = ["max": [0, ["min": [.integer(Int128(steps * step)), elapsed]]]]
        let passed: EncodedFlagValue =
            step == 1
            ? bounded
            : ["/": [["-": [bounded, ["%": [bounded, .integer(Int128(step))]]]], .integer(Int128(step))]]
        let rise = Int128((last - first) / common)
        let grown: EncodedFlagValue = rise == 1 ? passed : ["*": [passed, .integer(rise)]]
        let on: EncodedFlagValue = first == 0 ? grown : ["+": [.integer(Int128(steps * first / common)), grown]]
        let off: EncodedFlagValue = ["-": [.integer(Int128(total)), on]]
        flag = subject.flag(
            flagKey, variants: ["on": true, "off": false], defaultVariant: "off", shares: [["on", on], ["off", off]],
            fractional: fractional)
    }

    private static func thousandths(_ percentage: Double) -> Int64 {
        percentage > 0 ? Int64((min(percentage, 100) * 1_000).rounded()) : 0
    }

    /// Returns the second of a date, counted from 1970.
    static func seconds(_ date: Date) -> Int64 {
        // Clamped to a range that a whole number of seconds can hold, far beyond every calendar.
        Int64(min(max(date.timeIntervalSince1970.rounded(.down), -1e11), 1e11))
    }

    private static func commonDivisor(_ left: Int64, _ right: Int64) -> Int64 {
        right == 0 ? left : commonDivisor(right, left % right)
    }

    /// The key of the flag.
    public var flagKey: String { flag.key }

    /// Returns whether the subject of a context is included.
    public func includes(_ context: EvaluationContext, at date: Date = Date()) -> Bool {
        evaluate(for: context, at: date).variant == "on"
    }

    /// Evaluates the definition. The variants are `on` and `off` with the reason `SPLIT`; a subject that cannot be
    /// placed gets the default variant `off` with the reason `DEFAULT`.
    public func evaluate(for context: EvaluationContext, at date: Date = Date()) -> FlagEvaluation {
        flag.evaluate(for: context, at: Self.seconds(date))
    }

    /// Returns the date at which the subject of a context joins or leaves next; `nil` for never.
    public func nextChange(for context: EvaluationContext, after date: Date) -> Date? {
        flag.nextChange(for: context, after: Self.seconds(date)).map { Date(timeIntervalSince1970: Double($0)) }
    }

    /// The definition of the flag in flagd's format. A document with it answers as this rollout does, if it is read
    /// with the same generation of `fractional`.
    public var definition: EncodedFlagValue { flag.booleanDefinition }
}

extension FlagDefinition {
    /// The definition of a rollout in code, with the variants `on` and `off`.
    var booleanDefinition: EncodedFlagValue {
        .object([
            "state": .string("ENABLED"),
            "variants": .object(variants),
            "defaultVariant": .string("off"),
            "targeting": targeting ?? .object([:]),
        ])
    }
}
