/// Objects that are held weakly, in the order in which they were added.
package struct WeakList<Element: AnyObject & Sendable>: Sendable {
    private struct Reference: Sendable {
        weak var element: Element?

        /// Returns the object. It is mutating, because copying a weak reference out of the array is slow.
        mutating func load() -> Element? { element }
    }

    private var references: [Reference] = []

    package init() {}

    package mutating func append(_ element: Element) { references.append(Reference(element: element)) }

    /// Returns the objects that still exist and removes the others.
    ///
    /// Releasing an object may run foreign code. Keep the result until no lock is held.
    package mutating func strong() -> [Element] {
        let elements = references.indices.compactMap { references[$0].load() }
        if elements.count < references.count { references = elements.map { Reference(element: $0) } }
        return elements
    }
}
