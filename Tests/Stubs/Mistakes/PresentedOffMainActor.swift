// error: call to main actor-isolated instance method 'present(_:animated:completion:)'
// systems: ios
import UIKit

final class Debugging {
    func show(_ screen: UIViewController, over other: UIViewController) { other.present(screen, animated: true) }
}
