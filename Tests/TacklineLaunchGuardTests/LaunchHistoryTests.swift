import TacklineCore
import TacklineTestSupport
import Testing

@testable import TacklineLaunchGuard

@Suite("The history of launches") struct LaunchHistoryTests {
    /// Values of one provider that are bad if their number is odd.
    private struct World {
        var history = LaunchHistory()
        var count = 0
        var lastDead: String?

        /// Launches under values and returns those that were in force.
        mutating func launch(_ values: String, limit: Int = 3) -> String {
            count += 1
            let id = "\(count)"
            _ = history.begin(id, dead: Set([lastDead].compactMap { $0 }), limit: limit)
            lastDead = nil
            if history.isQuarantined(values, of: "p") {
                let good = history.healthy["p"] ?? ""
                history.note(good, of: "p", in: id)
                history.noteHeld(values, of: "p", in: id)
                return good
            }
            history.note(values, of: "p", in: id)
            return values
        }

        mutating func die() { lastDead = "\(count)" }
        mutating func settle() { history.settle("\(count)") }
        mutating func end() { history.end("\(count)") }
    }

    @Test("suspects only what was not healthy before, and no empty values")
    func suspects() {
        var world = World()
        #expect(world.launch("good") == "good")
        world.settle()
        for _ in 0..<10 {
            #expect(world.launch("good") == "good")
            world.die()
        }
        for _ in 0..<10 {
            #expect(world.launch("") == "")
            world.die()
        }
        #expect(world.history.quarantined == [:])
        #expect(world.history.deaths == [:])
    }

    @Test("begins to count anew after a healthy launch, and does not count one that ended in good order")
    func rows() {
        var world = World()
        for _ in 0..<5 {
            for _ in 0..<2 {
                #expect(world.launch("new") == "new")
                world.die()
            }
            _ = world.launch("new")
            world.end()
            _ = world.launch("new")
            world.settle()
            _ = world.launch("newer")
            world.settle()
        }
        #expect(world.history.quarantined == [:])
    }

    @Test("survives being written and read")
    func coding() throws {
        var world = World()
        for values in ["a", "a", "a", "a", "b"] {
            _ = world.launch(values)
            world.die()
        }
        #expect(try LaunchHistory(encoded: world.history.encoded) == world.history)
        #expect(world.history.quarantined == ["p": ["a"]])
    }

    /// Values that begin with "bad" kill; an app may also die for no reason, at times or always.
    @Test("over random launches heals from bad values in time, holds back no good ones for long, and stays small")
    func randomLaunches() {
        for seed in 0..<400 {
            var random = SeededGenerator(seed: UInt64(seed))
            var world = World()
            var served = "good 0"
            var deathsInRow = 0
            var heldInVain = 0
            var isDoomed = false
            for step in 0..<300 {
                switch Int.random(in: 0..<40, using: &random) {
                case 0: served = "bad \(Int.random(in: 0..<6, using: &random))"
                case 1, 2: served = "good \(Int.random(in: 0..<6, using: &random))"
                case 3: served = ""
                case 4: isDoomed.toggle()
                default: break
                }
                let inForce = world.launch(served)
                var context: String { "seed \(seed), step \(step), \(served), \(world.history)" }
                #expect(!inForce.hasPrefix("bad") || inForce == served, "\(context)")
                #expect(inForce == served || inForce == world.history.healthy["p"] ?? "", "\(context)")
                let dies = inForce.hasPrefix("bad") || isDoomed
                if dies {
                    deathsInRow += 1
                    heldInVain += inForce != served ? 1 : 0
                    world.die()
                } else {
                    if Int.random(in: 0..<8, using: &random) == 0 {
                        world.end()
                    } else {
                        world.settle()
                        #expect(world.history.deaths["p"] == nil, "\(context)")
                    }
                    deathsInRow = 0
                    heldInVain = 0
                }
                if inForce == served { heldInVain = 0 }
                #expect(heldInVain <= 3, "\(context)")
                // An app that nothing but its values kills: it is alive again after three deaths for each of the edits.
                if isDoomed { deathsInRow = 0 }
                #expect(deathsInRow <= 3 * 7, "\(context)")
                #expect(world.history.quarantined.values.allSatisfy { $0.count <= LaunchHistory.maximumEntries })
                #expect(world.history.launches.count <= LaunchHistory.maximumEntries)
                if let healthy = world.history.healthy["p"] {
                    #expect(!world.history.isQuarantined(healthy, of: "p"), "\(context)")
                }
            }
        }
    }

    @Test("with bad values that stay heals after exactly the limit")
    func limit() {
        for limit in 1...5 {
            var world = World()
            _ = world.launch("good", limit: limit)
            world.settle()
            for _ in 0..<limit {
                #expect(world.launch("bad", limit: limit) == "bad")
                world.die()
            }
            #expect(world.launch("bad", limit: limit) == "good")
        }
    }
}
