// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
/// A stub of swift-log, as far as OpenFeature's signatures name it.
public struct Logger {
    public let label: String

    public init(label: String) { self.label = label }

    public func error(_ message: @autoclosure () -> String) {}
}
