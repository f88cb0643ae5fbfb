// error: cannot convert return expression of type 'AnyPublisher<Bool, Never>' to return type 'AnyPublisher<Int, Never>'
import Combine
import SwiftUI
import TacklineCore
import TacklineSwiftUI

struct AppFlags: FlagCollectionProtocol {
    @Flag(default: false, description: "A switch") var newCheckout: Bool
    @Flag(default: 3, description: "A number") var attempts: Int
}

func follow(_ flags: FlagsLoader<AppFlags>) -> AnyPublisher<Int, Never> { flags.$newCheckout.publisher }
