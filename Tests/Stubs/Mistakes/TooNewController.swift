// error: 'updateProperties()' is only available in iOS 26.0 or newer
// systems: ios
import UIKit

func update(_ controller: UIViewController) async {
    await MainActor.run { controller.updateProperties() }
}
