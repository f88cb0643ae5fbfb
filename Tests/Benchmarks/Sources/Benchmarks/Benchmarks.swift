import Foundation
import Tackline

/// Measures what Tackline's promises are about, each beside the least that the machine takes for the same job.
///
/// ```
/// swift run -c release --package-path Tests/Benchmarks Benchmarks
/// swift run -c release --package-path Tests/Benchmarks Benchmarks --check   # status 1 if a bar on a ratio is missed
/// swift run --package-path Tests/Benchmarks Benchmarks --quick              # a few seconds; prints only what ran
/// ```
///
/// Why a harness of our own: the promises are ratios to floors, so a case and its floor have to be measured in turns
/// within one run, where noise meets both alike. The `benchmark` package of ordo-one measures one case after the other,
/// and its count of allocations is 0 for everything on Linux without a trait that is not available; allocations are
/// counted by `AllocationTests`.
@main
struct Benchmarks {
    static func main() {
        let arguments = Set(CommandLine.arguments.dropFirst())
        guard arguments.isSubset(of: ["--check", "--quick"]), arguments.count < 2 else {
            print("usage: Benchmarks [--check | --quick]")
            exit(2)
        }
        let effort: Effort = arguments.contains("--quick") ? .quick : .full
        var table = Table()
        let reads = ReadBenchmarks()
        table.add("Reading, one thread", reads.results(effort: effort))
        table.add("Reading, two threads at once", [ThreadBenchmarks(item: reads.keptText).result(effort: effort)])
        table.add("Changing", WriteBenchmarks().results(effort: effort))
        table.add("Documents of values", DocumentBenchmarks().results(effort: effort))
        table.add("Files, time on the wall", FileBenchmarks(effort: effort).results())
        do {
            table.add("Rules", try TargetingBenchmarks().results(effort: effort))
        } catch {
            print(error)
            exit(2)
        }
        if effort == .quick { return print("These ran:\n\(table.names)") }
        print(table)
        if arguments.contains("--check"), table.missesRatio { exit(1) }
    }
}
