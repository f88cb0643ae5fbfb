#if Peers
    import Configuration
    import Foundation
    import Tackline

    /// What the same work costs here and with swift-configuration, in one run.
    @main
    struct Peers {
        static func main() async throws {
            print("                                                          Tackline   swift-configuration   ratio")
            print("Processor time of one thread, in nanoseconds")
            for work in Work.all {
                let times = work.measure()
                print(line(work.name, times.ours, times.theirs))
            }
            print("Time on the wall, in nanoseconds")
            let times = try await Watching().measure()
            print(line("From a write to the task that watches the value", times.ours, times.theirs))
        }

        private static func line(_ name: String, _ ours: Double, _ theirs: Double) -> String {
            func right(_ text: String, _ width: Int) -> String {
                String(repeating: " ", count: max(0, width - text.count)) + text
            }
            return "  \(name)" + String(repeating: " ", count: max(0, 52 - name.count))
                + right(String(format: ours < 10 ? "%.2f" : "%.0f", ours), 12)
                + right(String(format: "%.0f", theirs), 22) + right(String(format: "%.1f", theirs / ours), 8)
        }
    }
#else
    /// What it compares with is fetched only if asked for.
    @main
    struct Peers {
        static func main() {
            print("swift run -c release --package-path Tests/Benchmarks --traits Peers Peers")
        }
    }
#endif
