import Foundation
import TacklineCLibrary
import TacklineFiles

/// The file of notes, a line of JSON for each event. A launch has it open and locked until it is healthy or over.
final class LaunchNotes: Sendable {
    let file: OpenFile

    /// Opens and locks the file, or returns `nil` if another process has locked it all the time.
    init?(_ path: String, _ timeLimit: Duration) throws {
        file = try OpenFile(path, O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW, mode: 0o600)
        // A child process that is being started shares the locks of its parent for a moment.
        let start = ContinuousClock.now
        while try !file.tryLock() {
            guard ContinuousClock.now - start < timeLimit else { return nil }
            usleep(1000)
        }
    }

    deinit { LaunchProcess.clearOnTermination(nil) }

    /// Returns the launch before, or `nil` if it has left nothing.
    func read() -> Launch? {
        // A line that was cut off when the process died says nothing, and neither does a file that can't be read.
        let lines = (try? file.contents(limit: 1 << 20))?.split(separator: UInt8(ascii: "\n")).compactMap {
            try? JSONDecoder().decode(Launch.self, from: Data($0))
        }
        // If the first line doesn't begin a launch, a thread has used a content while the launch ended.
        guard let lines, var launch = lines.first, launch.contents.isEmpty else { return nil }
        launch.contents = lines.flatMap(\.contents)
        launch.isHealthy = lines.contains(where: \.isHealthy)
        return launch
    }

    /// Appends what is new in one call of the system. A process that dies afterwards has written it.
    func append(_ news: Launch) throws {
        // After a newline, since a full disk may have cut off the line before.
        try file.write([UInt8(ascii: "\n")] + JSONEncoder().encode(news) + [UInt8(ascii: "\n")])
    }

    /// Empties the file, so that the launch leaves nothing to judge.
    func clear() { _ = ftruncate(file.descriptor, 0) }
}
