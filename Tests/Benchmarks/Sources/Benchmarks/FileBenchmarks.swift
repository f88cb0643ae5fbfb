import Foundation
import Tackline

/// What keeping values in a file costs, on the disk that holds the folder for temporary files.
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
            return try writes() + loads()
        } catch {
            return [Result(name: "not measured: \(error)")]
        }
    }

    // MARK: Writing

    private func writes() throws -> [Result] {
        let url = folder.appending(path: "values.json")
        let provider = LocalProvider(file: url)
        try provider.setValues(values(20))
        let bytes = [UInt8](try Data(contentsOf: url))
        let other = folder.appending(path: "by-hand.json").path
        var times = (provider: [Double](), hand: [Double](), folder: [Double]())
        for round in 0..<(effort == .quick ? 20 : 300) {
            times.provider.append(try time { try provider.setValue(.bool(round & 1 == 1), for: "group/flag_0") })
            times.hand.append(time { replace(other, bytes, flushesFolder: false) })
            times.folder.append(time { replace(other, bytes, flushesFolder: true) })
        }
        let kept = median(times.provider)
        return [
            Result(
                name: "A write to a file of 20 values, on the disk when it returns",
                nanoseconds: kept,
                floor: ("write + fsync + rename + fsync of the folder by hand", median(times.folder)),
                bar: .ratioAtMost(1.3)
            ),
            // The folder's flush is a second commit of the file system's journal, which this floor does without.
            Result(
                name: "The same",
                nanoseconds: kept,
                floor: ("write + fsync + rename by hand, which may be undone", median(times.hand))
            ),
        ]
    }

    /// What a careful program does by hand to replace a file.
    private func replace(_ path: String, _ bytes: [UInt8], flushesFolder: Bool) {
        let new = path + ".new"
        let file = open(new, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        _ = bytes.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
        fsync(file)
        close(file)
        rename(new, path)
        guard flushesFolder else { return }
        let directory = open(folder.path, O_RDONLY)
        fsync(directory)
        close(directory)
    }

    // MARK: Loading

    private func loads() throws -> [Result] {
        let url = folder.appending(path: "large.json")
        try LocalProvider(file: url).setValues(values(10_000))
        let json = try Data(contentsOf: url)
        var times = (provider: [Double](), reader: [Double]())
        for _ in 0..<(effort == .quick ? 3 : 40) {
            times.provider.append(time { _ = LocalProvider(file: url) })
            times.reader.append(time { _ = try? FlagDocument(json: json) })
        }
        return [
            Result(
                name: "Loading a file of 10,000 values",
                nanoseconds: median(times.provider),
                floor: ("the JSON reader alone", median(times.reader)),
                bar: .ratioAtMost(2)
            )
        ]
    }

    private func values(_ count: Int) -> [FlagKeyPath: EncodedFlagValue?] {
        Dictionary(uniqueKeysWithValues: (0..<count).map { (FlagKeyPath("group/flag_\($0)"), .bool(true)) })
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
