// systems: macos
import Foundation

func forward(_ notification: Notification) {
    // mistake: risks causing data races
    Task.detached { print(notification.name) }
    print(notification.name)
}
