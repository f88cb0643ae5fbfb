import Foundation
import TacklineCLibrary
import TacklineFiles

// Foundation: JSON.

/// The file of notes, which a young launch has open and locked.
///
/// Notes whose process is gone are those of a launch that died, or that was healthy and had no time to say so in the
/// record. A launch that finds the file locked has none.
final class LaunchNotes: Sendable {
    /// A line of the file. The first one begins a launch, with the content that it tries again.
    private struct Line: Codable {
        var launch: String?
        var trial: LaunchContent?
        var content: LaunchContent?
        var isHealthy: Bool?
    }

    private let file: OpenFile
    /// The number by which a signal's handler finds the file.
    var descriptor: CInt { file.descriptor }

    /// Opens and locks the file, or returns `nil` if another process has locked it for 50 ms.
    init?(_ path: String) throws {
        file = try OpenFile(path, O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW, mode: 0o600)
        // A child process that is being started shares the locks of its parent for a moment.
        for _ in 0..<50 {
            if try file.tryLock() { return }
            usleep(1000)
        }
        return nil
    }

    /// Returns what the launch before has left, or `nil` if it has left nothing.
    func read() throws -> LaunchRecord.Launch? {
        // A line that was cut off when the process died says nothing.
        let lines = try file.contents(limit: 1 << 20).split(separator: UInt8(ascii: "\n")).compactMap {
            try? JSONDecoder().decode(Line.self, from: Data($0))
        }
        guard let first = lines.first, let id = first.launch else { return nil }
        return LaunchRecord.Launch(
            id: id, contents: lines.compactMap(\.content), trial: first.trial,
            isHealthy: lines.contains { $0.isHealthy == true })
    }

    func begin(trial: LaunchContent?) throws {
        clear()
        try append(Line(launch: UUID().uuidString, trial: trial))
    }

    func note(_ content: LaunchContent) throws { try append(Line(content: content)) }

    func noteHealth() throws { try append(Line(isHealthy: true)) }

    /// Appends a line in one call of the system. A process that dies afterwards has written it.
    private func append(_ line: Line) throws {
        // After a newline, since a full disk may have cut off the line before.
        try file.write([UInt8(ascii: "\n")] + JSONEncoder().encode(line) + [UInt8(ascii: "\n")])
    }

    /// Empties the file, so that the launch leaves nothing to judge.
    func clear() { _ = ftruncate(file.descriptor, 0) }
}
