@testable import TacklineRemoteJSON

/// What of a machine an event may change.
struct MachineDigest: Equatable {
    let flags: [Bool]
    let life: RefreshMachine.Life
    let cache: RefreshMachine.CacheState
    let address: RemoteAddress
    let schedule: RefreshSchedule
    let connection: StreamConnection.State
    let memory: StreamMemory
    let request: [Int]
    let documents: [ObjectIdentifier?]

    init(_ machine: RefreshMachine) {
        flags = [machine.isSuspended, machine.isOffline, machine.documents.isStaged]
        life = machine.life
        cache = machine.cache
        address = machine.address
        schedule = machine.schedule
        connection = machine.connection.state
        memory = machine.connection.memory
        request = [machine.request, machine.nextRequest].flatMap { $0.map { [$0.number, $0.waiters] } ?? [0] }
        documents = [machine.documents.newest, machine.documents.active].map {
            $0.map { ObjectIdentifier($0.document) }
        }
    }
}
