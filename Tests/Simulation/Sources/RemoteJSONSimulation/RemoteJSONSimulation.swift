import Foundation

/// What an origin sees of a million clients: a table of each scenario, and on demand the figures of each second and a plot.
///
///     swift run -c release --package-path Tests/Simulation -Xswiftc -enable-testing RemoteJSONSimulation 1000000 <folder> [<scenario>]
@main
struct RemoteJSONSimulation {
    static let scenarios = [
        Simulation.Scenario(name: "steady"),
        Simulation.Scenario(name: "deploy, polled", deploy: 900),
        Simulation.Scenario(name: "deploy, streamed", streams: true, deploy: 900),
        Simulation.Scenario(name: "outage", outage: 900..<1500, deploy: 1500),
        Simulation.Scenario(name: "outage, with Retry-After", outage: 900..<1500, asksForSilence: true, deploy: 1500),
        Simulation.Scenario(name: "outage, with streams", streams: true, outage: 900..<1500, deploy: 1500),
    ]

    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        let count = arguments.first.flatMap { Int($0) } ?? 100_000
        let folder = arguments.dropFirst().first.map { URL(filePath: $0) }
        let steady = Double(count) / 300
        print("\(count) clients, \(Int(steady)) requests a second at intervals of 300 s")
        print("| scenario | outage: all | then requests | connections | all | 99 % current | all current |")
        print("|---|---|---|---|---|---|---|")
        var csv = "scenario,second,requests,connections,current\n"
        var series: [(String, [Int])] = []
        let wanted = arguments.dropFirst(2).first
        for scenario in scenarios where wanted == nil || scenario.name == wanted {
            var simulation = Simulation(scenario, clients: count)
            simulation.run()
            let figures = simulation.figures
            report(scenario, figures, count, steady)
            for second in 600..<scenario.seconds {
                csv += "\(scenario.name.replacing(",", with: "")),\(second - 600),\(figures.requests[second]),"
                csv += "\(figures.connections[second]),\(figures.current[second])\n"
            }
            series.append((scenario.name, Array(zip(figures.requests, figures.connections).map { $0 + $1 }[600...])))
        }
        guard let folder else { return }
        try Data(csv.utf8).write(to: folder.appending(path: "RemoteJSONSimulation.csv"))
        try Data(plot(series, steady).utf8).write(to: folder.appending(path: "RemoteJSONSimulation.svg"))
    }

    private static func report(
        _ scenario: Simulation.Scenario, _ figures: Simulation.Figures, _ count: Int, _ steady: Double
    ) {
        func ratio(_ range: Range<Int>, _ values: [Int]) -> String {
            String(format: "%.2f", Double(values[range].max() ?? 0) / steady)
        }
        let end = scenario.seconds
        let after = scenario.outage.isEmpty ? scenario.deploy ?? 600 : scenario.outage.upperBound
        let all = zip(figures.requests, figures.connections).map { $0 + $1 }
        let done = figures.current.firstIndex { $0 == count }
        let most = figures.current.firstIndex { $0 >= count * 99 / 100 }
        print(
            "| \(scenario.name) | \(scenario.outage.isEmpty ? "" : ratio(scenario.outage, all)) |",
            "\(ratio(after..<end, figures.requests)) | \(ratio(after..<end, figures.connections)) |",
            "\(ratio(after..<end, all)) |",
            "\(most.map { "\($0 - after) s" } ?? "") | \(done.map { "\($0 - after) s" } ?? "") |")
    }

    /// One panel for each scenario, the steady rate as a line across, and the most of each five seconds.
    private static func plot(_ series: [(String, [Int])], _ steady: Double) -> String {
        let (width, height, gap) = (900.0, 90.0, 34.0)
        var svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(Int(width + 40)) "
        svg += "\(Int((height + gap) * Double(series.count) + 10))\" font-family=\"sans-serif\" font-size=\"13\">\n"
        for (index, (name, seconds)) in series.enumerated() {
            let values = stride(from: 0, to: seconds.count, by: 5).map {
                seconds[$0..<min($0 + 5, seconds.count)].max() ?? 0
            }
            let top = Double(index) * (height + gap) + 24
            let most = max(Double(values.max() ?? 0), steady * 2)
            let points = values.enumerated().map { second, value in
                let x = 20 + width * Double(second) / Double(values.count)
                return String(format: "%.0f,%.1f", x, top + height * (1 - Double(value) / most))
            }
            let line = String(format: "%.1f", top + height * (1 - steady / most))
            let peak = String(format: "%.1f", most / steady)
            svg += "<text x=\"20\" y=\"\(Int(top - 6))\">\(name); the height is \(peak) × the steady rate</text>\n"
            svg += "<path d=\"M20 \(line)H\(Int(width + 20))\" stroke=\"#999\" stroke-dasharray=\"4 4\"/>\n"
            svg += "<polyline fill=\"none\" stroke=\"#06c\" points=\"\(points.joined(separator: " "))\"/>\n"
        }
        return svg + "</svg>\n"
    }
}
