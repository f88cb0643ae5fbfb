/// Flags that are found by something else than a property, such as the cases of an enum. Like a ``FlagSlot`` it is never
/// freed, and has lives.
package protocol FlagList: AnyObject, Sendable {
    /// Ends the present life: copies of a collection that were made in it are told from later ones, and the list can be
    /// taken again.
    func endLife()
}
