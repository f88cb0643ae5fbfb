/// A value that was read in a launch: its hash and where it was.
struct LaunchValue: Hashable, Sendable {
    /// The hash of provider and key.
    var slot: UInt64
    /// The hash of provider, key and value.
    var hash: UInt64
    var provider: String
    var key: String

    static func == (left: LaunchValue, right: LaunchValue) -> Bool { left.hash == right.hash }
    func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}

/// The notes of one launch, in the order in which they were made.
struct LaunchNotes: Equatable, Sendable {
    /// The values that were read and that the last healthy launch didn't have.
    var new: Set<LaunchValue> = []
    /// Whether a value was held back.
    var heldBack = false
    /// Whether the launch was healthy.
    var isHealthy = false
}

/// The record of an executable's launches, which decides what is held back. It does no input or output.
///
/// The rules:
///
/// - A value that the last death noted is a suspect, with the number of deaths in a row that noted it. When that is the
///   limit, the value is held back, and the row begins anew.
/// - A death although a value was held back counts against holding back. At the limit everything is released.
/// - A healthy launch ends both rows. What it read is not noted in later launches.
struct LaunchRecord: Equatable, Sendable {
    /// A decision of ``judge(_:id:limit:)``.
    enum Verdict: Equatable {
        case heldBack([LaunchValue], deaths: Int)
        case released([LaunchValue])
    }

    /// The maximum number of values that are held back, and of those noted in a launch. The oldest of the former go.
    static let valueLimit = 2048
    /// The maximum number of values of healthy launches.
    static let healthyLimit = 8192
    /// The maximum number of launches that are judged at once.
    static let launchLimit = 64

    /// The build of the executable. What is held back in one may be used in another, which may have the correction.
    var build = ""
    /// The place of each value of the last healthy launch that read the flag, by the hash of the value.
    var healthy: [UInt64: UInt64] = [:]
    var heldBack: [LaunchValue] = []
    /// The number of deaths in a row that noted a value, up to the last one.
    var suspects: [LaunchValue: Int] = [:]
    /// The number of deaths in a row although a value was held back.
    var deathsInVain = 0
    /// The launches that are in this record. A file of one may still be there.
    var judged: Set<String> = []

    /// Begins anew, except for what was healthy, if the build is another one.
    mutating func begin(build: String) {
        guard build != self.build else { return }
        self.build = build
        releaseAll()
    }

    /// Judges a launch that is over and that didn't end in good order.
    mutating func judge(_ notes: LaunchNotes, id: String, limit: Int) -> Verdict? {
        guard judged.insert(id).inserted else { return nil }
        if notes.isHealthy {
            settle(notes.new.map { ($0.hash, $0.slot) }, replacing: false)
            return nil
        }
        if notes.heldBack {
            deathsInVain += 1
            guard deathsInVain >= limit else { return nil }
            let released = heldBack
            releaseAll()
            return released.isEmpty ? nil : .released(released)
        }
        let old = suspects
        suspects = [:]
        for value in notes.new where healthy[value.hash] == nil { suspects[value] = old[value, default: 0] + 1 }
        let new = suspects.filter { $0.value >= limit }.keys
            .sorted { ($0.key, $0.provider, $0.hash) < ($1.key, $1.provider, $1.hash) }
        guard !new.isEmpty else { return nil }
        let hashes = Set(new.map(\.hash))
        heldBack.removeAll { hashes.contains($0.hash) }
        heldBack += new
        heldBack.removeFirst(max(0, heldBack.count - Self.valueLimit))
        suspects = [:]
        deathsInVain = 0
        return .heldBack(new, deaths: limit)
    }

    /// Takes over the values of a healthy launch.
    ///
    /// - Parameters:
    ///   - values: The hash of each value, with that of its place.
    ///   - replacing: Whether they are all that the launch read, so that other values of these places are forgotten.
    mutating func settle(_ values: [(hash: UInt64, slot: UInt64)], replacing: Bool) {
        suspects = [:]
        deathsInVain = 0
        let hashes = Set(values.map(\.hash))
        heldBack.removeAll { hashes.contains($0.hash) }
        if replacing {
            let slots = Set(values.map(\.slot))
            healthy = healthy.filter { !slots.contains($0.value) }
        }
        // Old values make room for those of this launch.
        if healthy.count + values.count > Self.healthyLimit { healthy = [:] }
        for (hash, slot) in values.prefix(Self.healthyLimit) { healthy[hash] = slot }
    }

    mutating func release(where shouldBeReleased: (LaunchValue) -> Bool) {
        heldBack.removeAll(where: shouldBeReleased)
        suspects = [:]
        deathsInVain = 0
    }

    mutating func releaseAll() { release { _ in true } }
}
