/// Takes exposures and does something with them: sends them to an analysis, writes them to a log.
public protocol ExposureObserver: Sendable {
    /// Takes a batch of exposures, in the order in which they happened.
    ///
    /// Called for one batch at a time, on a task of its own and never while a flag is being read. As long as it runs, later
    /// batches wait, and what exceeds the recorder's limit is dropped.
    func observe(_ exposures: [FlagExposure]) async
}
