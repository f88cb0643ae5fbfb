import Foundation
import Tackline

/// The cost of reading a document of values, beside Foundation's reader.
struct DocumentBenchmarks {
    func results(effort: Effort) -> [Result] {
        let document = Data(Self.text.utf8)
        let floor = Case("JSONSerialization") { count in
            (0..<count).reduce(0) { sum, _ in sum + ((try? JSONSerialization.jsonObject(with: document)) == nil ? 0 : 1)
            }
        }
        let read = Case("A document of 10,000 values (\(document.count >> 10) KB)") { count in
            (0..<count).reduce(0) { sum, _ in sum + ((try? FlagDocument(json: document))?.root.count ?? 0) }
        }
        let times = Harness.measure([floor, read], effort: effort)
        return [
            Result(name: read.name, nanoseconds: times[1], floor: (floor.name, times[0]), bar: .ratioAtMost(1))
        ]
    }

    private static var text: String {
        let flags = (0..<10_000).map { index in
            let value =
                switch index % 4 {
                case 0: "\(index % 8 == 0)"
                case 1: "\(index * 7)"
                case 2: #""a text of a usual length, such as people are shown: a title, or https://www.example.com""#
                default: #"{"enabled": true, "rollout": 12.5, "variants": ["control", "one page", "two pages"]}"#
                }
            return #""group_\#(index % 100)/flag_\#(index)": \#(value)"#
        }
        return "{\(flags.joined(separator: ",\n"))}"
    }
}
