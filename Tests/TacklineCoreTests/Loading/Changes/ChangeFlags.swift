import TacklineCore

struct ChangeFlags: FlagCollectionProtocol {
    @Flag(default: false, description: "A switch")
    var isOn: Bool
    @Flag(default: 0, description: "A number")
    var number: Int
    @Flag(default: "", description: "A text")
    var text: String
    @Flag(default: [:], description: "A whole object")
    var limits: [String: Int]
    @Flag(default: nil, description: "Maybe")
    var maybe: String?
    @Flag(
        default: 0,
        computed: { (flags: ChangeFlags) in flags.isOn ? flags.group.inner.depth * 2 : nil },
        description: "Twice the depth while the switch is on"
    )
    var doubled: Int
    @FlagCollection(description: "A group")
    var group: Group

    struct Group: FlagCollectionProtocol {
        @Flag(default: 0, description: "In the group")
        var width: Int
        @FlagCollection(description: "A group in it")
        var inner: Inner
    }

    struct Inner: FlagCollectionProtocol {
        @Flag(default: 0, description: "Deep inside")
        var depth: Int
    }
}

/// The next elements of an iterator.
///
/// - Throws: `CancellationError` if the iterator ends because the task was cancelled, and ``EndedEarly`` if it ends without.
func next<Iterator: AsyncIteratorProtocol>(
    _ count: Int, of iterator: inout Iterator
) async throws -> [Iterator.Element] {
    var elements: [Iterator.Element] = []
    while elements.count < count, let element = try await iterator.next(isolation: #isolation) {
        elements.append(element)
    }
    if elements.count < count {
        try Task.checkCancellation()
        throw EndedEarly(count: elements.count)
    }
    return elements
}

/// An iterator had no more elements although a test wanted some.
struct EndedEarly: Error {
    var count: Int
}
