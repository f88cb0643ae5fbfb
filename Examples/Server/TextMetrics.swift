import CoreMetrics
import Synchronization

/// Metrics as the text that Prometheus reads. A real server takes a package for that.
final class TextMetrics: MetricsFactory {
    private let series = Mutex<[String: Series]>([:])

    /// A line for each series, by name.
    var text: String {
        series.withLock { $0 }.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.text)\n" }.joined()
    }

    private func find(_ label: String, _ dimensions: [(String, String)]) -> Series {
        let pairs = dimensions.map { "\($0.0)=\"\($0.1)\"" }.joined(separator: ",")
        let name = dimensions.isEmpty ? label : "\(label){\(pairs)}"
        return series.withLock { series in
            if let found = series[name] { return found }
            let new = Series()
            series[name] = new
            return new
        }
    }

    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler { find(label, dimensions) }
    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler { find(label, dimensions) }
    func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        find(label, dimensions)
    }
    func destroyCounter(_ handler: any CounterHandler) {}
    func destroyTimer(_ handler: any TimerHandler) {}
    func destroyRecorder(_ handler: any RecorderHandler) {}
}

/// A counter, or the last value of something.
private final class Series: CounterHandler, TimerHandler, RecorderHandler {
    private let value = Mutex(0.0)

    var text: String { value.withLock { $0 == $0.rounded() ? "\(Int64($0))" : "\($0)" } }

    func increment(by amount: Int64) { value.withLock { $0 += Double(amount) } }
    func reset() { value.withLock { $0 = 0 } }
    func record(_ new: Int64) { value.withLock { $0 = Double(new) } }
    func record(_ new: Double) { value.withLock { $0 = new } }
    func recordNanoseconds(_ duration: Int64) { value.withLock { $0 = Double(duration) } }
}
