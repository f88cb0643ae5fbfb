/// A receiver of exposures, which sends them to an analysis or writes them to a log.
///
/// ```swift
/// struct Analysis: ExposureObserver {
///     func observe(_ exposures: [FlagExposure]) async throws {
///         try await upload(exposures.map(\.attributes))
///     }
/// }
/// ```
public protocol ExposureObserver: Sendable {
    /// Receives a batch of exposures, in the order in which they happened.
    ///
    /// Batches are delivered one at a time, on a task of their own and never while a flag is being read.
    ///
    /// - Throws: Any error, to refuse the batch. It is delivered again later, before anything that came after it and
    ///   perhaps together with that, so an observer that has stored part of a batch must recognise repeats.
    func observe(_ exposures: [FlagExposure]) async throws
}
