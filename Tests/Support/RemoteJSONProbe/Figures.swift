import CHeapFigures
import Foundation

/// Figures of this process, from `/proc`; zero where there is none.
struct Figures: CustomStringConvertible {
    let residentKilobytes: Int
    let peakKilobytes: Int
    let threads: Int
    let files: Int
    /// What is allocated and not freed.
    let heapKilobytes = Int(tackline_heap_bytes_in_use() / 1024)

    init() {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        func number(_ name: String) -> Int {
            let line = status.split(separator: "\n").first { $0.hasPrefix(name) }
            return line?.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) } ?? 0
        }
        residentKilobytes = number("VmRSS:")
        peakKilobytes = number("VmHWM:")
        threads = number("Threads:")
        files = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
    }

    var description: String {
        "resident \(residentKilobytes) kB, heap in use \(heapKilobytes) kB, threads \(threads), files \(files)"
    }
}
