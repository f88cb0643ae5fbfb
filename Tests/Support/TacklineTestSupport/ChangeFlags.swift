package import TacklineCore

package struct ChangeFlags: FlagCollectionProtocol {
    @Flag(default: false, description: "A switch")
    package var isOn: Bool
    @Flag(default: 0, description: "A number")
    package var number: Int
    @Flag(default: "", description: "A text")
    package var text: String
    @Flag(default: [:], description: "A whole object")
    package var limits: [String: Int]
    @Flag(default: nil, description: "Maybe")
    package var maybe: String?
    @Flag(
        default: 0,
        computed: { (flags: ChangeFlags) in flags.isOn ? flags.group.inner.depth * 2 : nil },
        description: "Twice the depth while the switch is on"
    )
    package var doubled: Int
    @FlagCollection(description: "A group")
    package var group: Group

    package init() {}

    package struct Group: FlagCollectionProtocol {
        @Flag(default: 0, description: "In the group")
        package var width: Int
        @FlagCollection(description: "A group in it")
        package var inner: Inner

        package init() {}
    }

    package struct Inner: FlagCollectionProtocol {
        @Flag(default: 0, description: "Deep inside")
        package var depth: Int

        package init() {}
    }
}

/// The next elements of an iterator.
///
/// - Throws: `CancellationError` if the iterator ends because the task was cancelled, and another error if it ends without.
package func next<Iterator: AsyncIteratorProtocol>(
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
private struct EndedEarly: Error {
    let count: Int
}
