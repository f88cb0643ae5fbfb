import Dispatch
import Synchronization
import TacklineCLibrary

/// A watcher that reports changes of a file while it exists, wherever symbolic links lead.
///
/// It compares the identity, the size and the times of the file: at an interval, or on Apple's systems when an event source
/// reports a change of the file or its folder. A missing file is reported when it is still missing at the second look,
/// because some editors save by renaming the file away and creating a new one.
package final class FileWatcher: Sendable {
    /// Runs a closure later, on a thread that may block.
    package typealias Timer = @Sendable (_ delay: Duration, _ action: @escaping @Sendable () -> Void) -> Void

    /// The attributes that change when a file is replaced or written, or `nil` if there is no file.
    private static func version(of path: String) -> [Int64]? {
        FilePath.attributes(path).map { file in
            let identity = [Int64(truncatingIfNeeded: file.st_dev), Int64(truncatingIfNeeded: file.st_ino)]
            return identity + [Int64(file.st_size), Int64(file.st_ctim.tv_sec), Int64(file.st_ctim.tv_nsec)]
        }
    }

    private struct State {
        /// The version at the last look.
        var version: [Int64]?
        /// The number of looks that report the file. There are two after a change: the file system's clock is coarse, so the
        /// file may be written again without another time.
        var looksLeft = 1
        /// Whether a timer waits for the next look, while events of Apple's systems may look, too.
        var isWaiting = false
        #if canImport(Darwin)
            var sources: [any DispatchSourceFileSystemObject] = []
        #endif
    }

    private let path: String
    /// The time between two looks, or `nil` if there are events.
    private let interval: Duration?
    private let timer: Timer
    private let onChange: @Sendable () -> Bool
    /// Held during a look.
    private let state: Mutex<State>

    /// Creates a watcher, which reports changes from now on.
    ///
    /// - Parameters:
    ///   - path: The path of the file. It may contain symbolic links, and nothing on it needs to exist.
    ///   - interval: The time between two looks, at least 10 milliseconds. `nil` means events on Apple's systems, and a
    ///     second elsewhere.
    ///   - timer: Waits between two looks. Tests replace it.
    ///   - onChange: Called on one thread at a time, possibly without a change. It may block, and returns whether to call
    ///     it again at the next look in any case.
    package init(
        path: String, interval: Duration? = nil, timer: @escaping Timer = FileWatcher.systemTimer,
        onChange: @escaping @Sendable () -> Bool
    ) {
        (self.path, self.timer, self.onChange) = (path, timer, onChange)
        #if canImport(Darwin)
            self.interval = interval.map { max($0, .milliseconds(10)) }
        #else
            self.interval = max(interval ?? .seconds(1), .milliseconds(10))
        #endif
        state = Mutex(State(version: Self.version(of: path)))
        look(after: self.interval ?? .zero)
    }

    #if canImport(Darwin)
        private let queue = DispatchQueue(label: "tackline.file-watcher", qos: .utility)
        deinit { for source in state.withLock({ $0.sources }) { source.cancel() } }
    #endif

    /// The system's timer.
    package static let systemTimer: Timer = { delay, action in
        let time = DispatchTime.now() + max(.zero, delay) / .seconds(1)
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: time, execute: action)
    }

    private func look(after delay: Duration) {
        timer(delay) { [weak self] in
            self?.state.withLock { $0.isWaiting = false }
            self?.look()
        }
    }

    private func look() {
        let mustWait = state.withLock { state in
            #if canImport(Darwin)
                // The old sources are cancelled after the new ones are active, so that nothing is missed in between.
                let old = state.sources
                if interval == nil { state.sources = makeSources() }
                for source in old { source.cancel() }
            #endif
            let version = Self.version(of: path)
            if version != state.version { (state.version, state.looksLeft) = (version, 2) }
            if state.looksLeft > 0 {
                state.looksLeft -= 1
                let isBeingReplaced = version == nil && state.looksLeft == 1
                if !isBeingReplaced, onChange() { state.looksLeft = 1 }
            }
            let mustWait = !state.isWaiting && (interval != nil || state.looksLeft > 0)
            if mustWait { state.isWaiting = true }
            return mustWait
        }
        if mustWait { look(after: interval ?? .seconds(1)) }
    }

    #if canImport(Darwin)
        /// Returns sources of events for the file and for its folder, or the nearest folder that exists.
        private func makeSources() -> [any DispatchSourceFileSystemObject] {
            var (folder, parent) = (FilePath.parts(of: path).folder, "")
            var descriptors = [open(path, O_EVTONLY | O_CLOEXEC)]
            while folder != parent {
                descriptors.append(open(folder, O_EVTONLY | O_CLOEXEC))
                if descriptors.last != -1 { break }
                (folder, parent) = (FilePath.parts(of: folder).folder, folder)
            }
            return descriptors.filter { $0 >= 0 }.map { descriptor in
                let source = DispatchSource.makeFileSystemObjectSource(
                    fileDescriptor: descriptor, eventMask: [.write, .extend, .attrib, .rename, .delete, .revoke],
                    queue: queue)
                source.setEventHandler { [weak self] in self?.look() }
                source.setCancelHandler { close(descriptor) }
                source.resume()
                return source
            }
        }
    #endif
}
