import Foundation
import TacklineCLibrary
import TacklineFiles

// Foundation: `FileManager` creates the folder. The rest are calls of the system, because a launch may be killed between
// any two of them, and because a lock of the system ends with its process.

/// The folder of an executable: its record, and a file of notes for each young launch, which its process keeps locked.
///
/// A process may end between any two steps. The record is replaced as a whole, and a file of notes is removed only when
/// the record has it. Nothing waits for another process longer than ``LaunchFolder/patience``, and the limits bound what
/// is read and removed at one start, so that a start takes no longer than 50 ms whatever is in the folder.
struct LaunchFolder: Sendable {
    let path: String

    /// The longest time to wait for a process that writes the record.
    static let patience = Duration.milliseconds(20)
    /// The maximum number of bytes of a record. Those that ``LaunchRecord/text`` writes are shorter.
    private static let recordLimit = 4 << 20
    /// The maximum number of bytes of a file of notes.
    private static let notesLimit = 2 << 20
    /// The number of bytes of notes after which no other file is read at the same start.
    private static let notesBudget = 256 << 10
    /// The maximum number of names that are read.
    private static let nameLimit = 500

    private var record: String { path + "/record" }

    func create() throws(LaunchFileError) {
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw LaunchFileError("create \(path)", "\(error.localizedDescription)")
        }
    }

    // MARK: The record

    /// Waits for the other processes, and returns `nil` if one of them takes too long.
    func lock() throws(LaunchFileError) -> LaunchFile? {
        let file = try LaunchFile(path + "/lock", O_RDWR | O_CREAT)
        let end = ContinuousClock.now + Self.patience
        while !file.lock() {
            if ContinuousClock.now >= end { return nil }
            usleep(1000)
        }
        return file
    }

    /// Reads the record. A new one is empty.
    ///
    /// - Throws: An error that ``LaunchFileError/isTransient`` if the record may be readable at another time, so that it
    ///   must not be replaced.
    func readRecord() throws(LaunchFileError) -> LaunchRecord {
        let bytes: [UInt8]
        do throws(LaunchFileError) {
            bytes = try LaunchFile(record, O_RDONLY).bytes(upTo: Self.recordLimit)
        } catch {
            if error.isMissing { return LaunchRecord() }
            throw error
        }
        guard let read = LaunchRecord(bytes: bytes) else {
            throw LaunchFileError("read \(record)", "it is damaged")
        }
        return read
    }

    /// Replaces the record. The caller has the lock.
    func write(_ new: LaunchRecord) throws(LaunchFileError) {
        let temporary = path + "/record-new"
        unlink(temporary)
        do throws(LaunchFileError) {
            let file = try LaunchFile(temporary, O_WRONLY | O_CREAT | O_EXCL)
            try file.append(new.text)
            // Or the power may go between, and leave an empty file in place of the record.
            try file.synchronize()
            try Self.move(temporary, to: record)
        } catch {
            // On a full disk its space is needed.
            unlink(temporary)
            throw error
        }
    }

    // MARK: Launches

    /// Creates the file of a launch, locked.
    func begin(_ id: String) throws(LaunchFileError) -> LaunchFile {
        // A process that removes orphans at the same moment may take the file for one.
        for _ in 0..<3 { if let file = try? create(id) { return file } }
        return try create(id)
    }

    private func create(_ id: String) throws(LaunchFileError) -> LaunchFile {
        // Under another name until it is locked, or it could be taken for the file of a launch that has died.
        let temporary = path + "/new-\(id)"
        unlink(temporary)
        let file = try LaunchFile(temporary, O_RDWR | O_CREAT | O_EXCL | O_APPEND)
        guard file.lock() else { throw LaunchFileError("lock \(temporary)", "another process has locked it") }
        try Self.move(temporary, to: notes(id))
        return file
    }

    private static func move(_ path: String, to new: String) throws(LaunchFileError) {
        do throws(FileFailure) {
            try FileFailure.check("rename", path) { rename(path, new) }
        } catch {
            throw LaunchFileError(error)
        }
    }

    /// Removes the file of a launch. The caller has it locked.
    func end(_ id: String) { unlink(notes(id)) }

    private func notes(_ id: String) -> String { "\(path)/launch-\(id)" }

    /// Returns the id of a launch from the name of its file, or `nil` for another file.
    static func id(_ name: String) -> String? {
        name.hasPrefix("launch-") ? String(name.dropFirst("launch-".count)) : nil
    }

    /// A launch that is over. Its file is locked, so that no other process judges it meanwhile.
    struct Over {
        let id: String
        let notes: LaunchNotes
        let file: LaunchFile
    }

    /// Returns the launches whose processes are gone, in the order in which they began. What is too much for one start
    /// is left for the next ones.
    func launchesThatAreOver(in names: [String]) -> [Over] {
        var over: [Over] = []
        let ids = names.compactMap(Self.id).sorted()
        var rest = Self.notesBudget
        for (number, id) in ids.enumerated() where rest > 0 {
            let file: LaunchFile
            do throws(LaunchFileError) {
                file = try LaunchFile(notes(id), O_RDWR)
            } catch {
                // Something else has the name.
                if !error.isMissing, !error.isTransient { remove(notes(id)) }
                continue
            }
            // A launch that ends in good order removes its file before it unlocks it.
            guard file.lock(), access(notes(id), F_OK) == 0 else { continue }
            // A process has a file only while it is young, so there are few. The oldest of too many count for nothing.
            guard number >= ids.count - LaunchRecord.launchLimit else {
                end(id)
                continue
            }
            var notes = LaunchNotes()
            do throws(LaunchFileError) {
                let bytes = try file.bytes(upTo: Self.notesLimit)
                rest -= bytes.count
                notes = LaunchNotes(bytes: bytes)
            } catch {
                if error.isTransient { continue }
            }
            over.append(Over(id: id, notes: notes, file: file))
        }
        return over
    }

    /// Removes what launches left behind that were killed before their files were complete.
    func removeOrphans(in names: [String]) {
        for name in names where name.hasPrefix("new-") {
            guard let file = try? LaunchFile("\(path)/\(name)", O_RDWR), file.lock() else { continue }
            unlink("\(path)/\(name)")
        }
    }

    /// Returns the names of the files, and whether there are more of them than are read at once.
    func names() throws(LaunchFileError) -> (names: [String], areMore: Bool) {
        guard let folder = opendir(path) else {
            throw LaunchFileError(.system(SystemCallError(call: "list", path: path, number: errno)))
        }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            guard names.count < Self.nameLimit else { return (names, true) }
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 1) { String(cString: $0) }
            }
            names.append(name)
        }
        return (names, false)
    }
}

/// An open file.
final class LaunchFile: Sendable {
    private let file: OpenFile

    /// Opens a file. Where there is a pipe instead, this doesn't wait for its other end, and reading fails.
    init(_ path: String, _ flags: Int32) throws(LaunchFileError) {
        do throws(FileFailure) {
            file = try OpenFile(path, flags | O_NOFOLLOW, mode: 0o600)
        } catch {
            throw LaunchFileError(error)
        }
    }

    /// Locks the file until it is closed, and returns whether that was possible. It is not if another process has the
    /// lock, and on a file system without locks, where launches that go on could be taken for dead.
    func lock() -> Bool {
        while flock(file.descriptor, LOCK_EX | LOCK_NB) != 0 {
            if errno != EINTR { return false }
        }
        return true
    }

    /// Returns the content from the beginning, or throws if there is more than `limit` or if it isn't a regular file.
    func bytes(upTo limit: Int) throws(LaunchFileError) -> [UInt8] {
        do throws(FileFailure) {
            return try file.contents(limit: limit)
        } catch {
            if error.number != nil { throw LaunchFileError(error) }
            throw LaunchFileError("read \(file.path)", "\(error)")
        }
    }

    /// Waits until the disk has the content.
    func synchronize() throws(LaunchFileError) {
        do throws(FileFailure) {
            try file.flush(.disk)
        } catch {
            throw LaunchFileError(error)
        }
    }

    /// Writes at the end, in one call of the system if it takes all.
    func append(_ text: String) throws(LaunchFileError) {
        do throws(FileFailure) {
            try file.append(Array(text.utf8))
        } catch {
            throw LaunchFileError(error)
        }
    }
}

/// A failed use of a file.
struct LaunchFileError: Error, CustomStringConvertible {
    /// The operation and its failure, as it reads after "could not".
    let description: String
    /// Whether there is no such file.
    private(set) var isMissing = false
    /// Whether the same may succeed at another time: the file is protected, the disk fails, or the process has too many
    /// files.
    private(set) var isTransient = false

    init(_ operation: String, _ reason: String) { description = "\(operation): \(reason)" }

    init(_ failure: FileFailure) {
        guard case .system(let error) = failure else {
            self.init("use it", "\(failure)")
            return
        }
        self.init("\(error.call) \(error.path)", "\(error.reason) (errno \(error.number))")
        isMissing = error.number == ENOENT
        isTransient = [EACCES, EPERM, EIO, EMFILE, ENFILE, ENOMEM, ENOLCK, EAGAIN, ESTALE, ENOSPC]
            .contains(error.number)
    }
}
