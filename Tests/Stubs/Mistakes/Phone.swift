// systems: ios
import SwiftUI
import UIKit

final class Debugging {
    func show(_ screen: UIViewController, over other: UIViewController) {
        // mistake: call to main actor-isolated instance method 'present(_:animated:completion:)'
        other.present(screen, animated: true)
    }
}

func update(_ controller: UIViewController) async {
    // mistake: 'updateProperties()' is only available in iOS 26.0 or newer
    await MainActor.run { controller.updateProperties() }
}

struct Screen: View {
    // mistake: is only available in
    var body: some View { Text(verbatim: "New").glassEffect() }
}
