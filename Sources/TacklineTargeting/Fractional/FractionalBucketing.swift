/// How `fractional` turns a bucketing key into a place among the weights.
///
/// flagd has changed this arithmetic between generations, and each change moves people to other variants. A generation is
/// a type of its own, so that another can be added without touching the rules, and a document can be evaluated with the one
/// it was written for.
public protocol FractionalBucketing: Sendable {
    /// Returns the place of a key, at least 0 and less than `totalWeight`.
    ///
    /// The same key and weight give the same place, for ever and on every platform.
    ///
    /// - Parameters:
    ///   - key: What is bucketed by. Its pieces count as one text.
    ///   - totalWeight: The sum of the weights, from 1 to 2,147,483,647.
    func place(of key: BucketingKey, totalWeight: UInt32) -> UInt32
}

extension FractionalBucketing where Self == SecondGenerationBucketing {
    /// The arithmetic of flagd core 0.15 and 0.16.
    public static var secondGeneration: SecondGenerationBucketing { SecondGenerationBucketing() }
}
