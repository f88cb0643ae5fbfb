/// Objects that are held weakly, in the order in which they were added.
package struct WeakList<Element: AnyObject & Sendable>: Sendable {
    private struct Reference: Sendable { weak var element: Element? }

    private var references: [Reference] = []

    package init() {}

    package mutating func append(_ element: Element) { references.append(Reference(element: element)) }

    /// Returns the objects that still exist and removes the others.
    ///
    /// Releasing an object may run foreign code. Keep the result until no lock is held.
    package mutating func strong() -> [Element] {
        // By index, because copying a weak reference is slow.
        let elements = references.indices.compactMap { references[$0].element }
        if elements.count < references.count { references = elements.map { Reference(element: $0) } }
        return elements
    }
}
