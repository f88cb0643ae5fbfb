import Foundation
import Tackline

/// What a durable write costs, on the disk that holds the folder for temporary files.
///
/// Disks take very different times for the same thing from one moment to the next, so each case and its floors take
/// turns, and the medians are compared.
struct FileBenchmarks {
    let effort: Effort
    private let folder = FileManager.default.temporaryDirectory.appending(
        path: "tackline-benchmarks-\(UUID().uuidString)")

    func results() -> [Result] {
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            return try writes()
        } catch {
            return [Result(name: "not measured: \(error)")]
        }
    }

    private func writes() throws -> [Result] {
        let url = folder.appending(path: "values.json")
        let provider = LocalProvider(file: url)
        try provider.setValues(
            Dictionary(uniqueKeysWithValues: (0..<20).map { (FlagKeyPath("group/flag_\($0)"), .bool(true)) }))
        let bytes = [UInt8](try Data(contentsOf: url))
        let other = folder.appending(path: "by-hand.json").path
        var times = (provider: [Double](), hand: [Double]())
        for round in 0..<(effort == .quick ? 20 : 300) {
            times.provider.append(try time { try provider.setValue(.bool(round & 1 == 1), for: "group/flag_0") })
            times.hand.append(time { replace(other, bytes) })
        }
        return [
            Result(
                name: "A write to a file of 20 values, on the disk when it returns",
                nanoseconds: median(times.provider),
                floor: ("write + fsync + rename + fsync of the folder by hand", median(times.hand)),
                bar: .ratioAtMost(1.3))
        ]
    }

    /// What a careful program does by hand to replace a file.
    private func replace(_ path: String, _ bytes: [UInt8]) {
        let new = path + ".new"
        let file = open(new, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        _ = bytes.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
        fsync(file)
        close(file)
        rename(new, path)
        let directory = open(folder.path, O_RDONLY)
        fsync(directory)
        close(directory)
    }

    private func time<Failure: Error>(_ work: () throws(Failure) -> Void) throws(Failure) -> Double {
        let start = Clock.wall
        try work()
        return Clock.wall - start
    }

    private func median(_ times: [Double]) -> Double {
        times.sorted()[times.count / 2]
    }
}
