import Foundation
import Synchronization
import TacklineCore
import TacklineRemoteJSON
import TacklineLoopback

/// Fetches and swaps documents of 10,000 flags while two threads read, and compares the reader with `JSONSerialization`.
struct LargeDocument {
    private func text(_ edition: Int) -> String {
        let flags = (0..<10_000).map { index in
            switch index % 4 {
            case 0: #""group_\#(index % 100)/flag_number_\#(index)": \#(index % 3 == edition % 3)"#
            case 1: #""group_\#(index % 100)/flag_number_\#(index)": \#(index * (edition + 1))"#
            case 2:
                #""group_\#(index % 100)/flag_number_\#(index)": "a text of a usual length for edition \#(edition), with an \u00e9 and a line\nbreak""#
            default:
                #""group_\#(index % 100)/flag_number_\#(index)": {"enabled": true, "rollout": 12.5, "note": "\#(edition)"}"#
            }
        }
        return "{\(flags.joined(separator: ",\n"))}"
    }

    func run() async throws {
        try compareParsers()
        print("while documents are parsed and not swapped, for comparison:")
        try await read(swapping: false)
        print("while documents are fetched and swapped:")
        try await read(swapping: true)
    }

    private func compareParsers() throws {
        let data = Data(text(1).utf8)
        print("bytes \(data.count)")
        var ours: [Duration] = []
        var theirs: [Duration] = []
        let reader = FlagJSONReader()
        for _ in 0..<20 {
            ours.append(try ContinuousClock().measure { _ = try reader.read(data) })
            theirs.append(try ContinuousClock().measure { _ = try JSONSerialization.jsonObject(with: data) })
        }
        print("FlagJSONReader median \(ours.sorted()[10]), JSONSerialization median \(theirs.sorted()[10])")
    }

    private func read(swapping: Bool) async throws {
        let documents = LoopbackDocuments()
        let server = try LoopbackServer(documents: documents)
        var configuration = RemoteJSONConfiguration()
        configuration.cache = .disabled
        configuration.minimumManualRefreshGap = .zero
        configuration.maximumBodyBytes = 4 << 20
        configuration.limits.maximumMembers = 100_000
        let provider = RemoteJSONProvider(url: server.url(path: "flags.json"), configuration: configuration)
        documents.setDocument(path: "/flags.json", text: text(20))
        try await provider.refresh()
        let isDone = LoopbackGate()
        let histograms = Mutex<[[Int: Int]]>([])
        // Threads of their own: a loop in a task would keep one of the few threads that all tasks share.
        for thread in 0..<2 {
            Thread.detachNewThread {
                let histogram = Self.read(provider, thread, until: isDone)
                histograms.withLock { $0.append(histogram) }
            }
        }
        for edition in 0..<20 {
            documents.setDocument(path: "/flags.json", text: text(edition))
            if swapping {
                let outcome = try await provider.refresh()
                guard case .changed = outcome else { throw CocoaError(.coderInvalidValue) }
            } else {
                for _ in 0..<3 { _ = try FlagJSONReader().read(text(edition)) }
            }
        }
        isDone.open()
        while histograms.withLock({ $0.count }) < 2 { await Task.yield() }
        for histogram in histograms.withLock({ $0 }) {
            let lines = histogram.sorted { $0.key < $1.key }.map { "<\(1 << $0.key) ns: \($0.value)" }
            print("reads of one thread: \(lines.joined(separator: ", "))")
        }
    }

    /// Reads until told otherwise. The result counts reads by the power of two above their time in nanoseconds.
    private static func read(_ provider: RemoteJSONProvider, _ thread: Int, until isDone: LoopbackGate) -> [Int: Int] {
        var histogram: [Int: Int] = [:]
        let keys = (0..<100).map { FlagKeyPath("group_\($0)/flag_number_\($0)") }
        var index = thread
        let clock = ContinuousClock()
        while !isDone.isOpen {
            let start = clock.now
            _ = provider.value(for: keys[index % 100])
            let time = start.duration(to: clock.now).components.attoseconds / 1_000_000_000
            histogram[64 - time.leadingZeroBitCount, default: 0] += 1
            index += 1
        }
        return histogram
    }
}
