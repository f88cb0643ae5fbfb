// error: risks causing data races
import Foundation

func forward(_ notification: Notification) {
    Task.detached { print(notification.name) }
    print(notification.name)
}
