// swift-format-ignore-file
// A stub of the Network API that our sources use; see the stub of Foundation. Nothing here runs. The monitor is not
// Sendable here, so that nothing relies on it.
import Dispatch

public struct NWPath: Sendable, Equatable {
  public enum Status: Sendable { case satisfied, unsatisfied, requiresConnection }
  public var status: Status { fatalError() }
}

public final class NWPathMonitor {
  public init() {}
  public final var pathUpdateHandler: (@Sendable (_ newPath: NWPath) -> Void)? { get { fatalError() } set { fatalError() } }
  public final func start(queue: DispatchQueue) { fatalError() }
  public final func cancel() { fatalError() }
}
