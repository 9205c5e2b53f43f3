// The public names of CoreBluetooth that are used, as in the iOS 18.1 SDK.
@_exported import Foundation
open class CBAttribute: NSObject {}
open class CBCharacteristic: CBAttribute {}
public enum CBCharacteristicWriteType: Int, Sendable { case withResponse = 0 }
open class CBPeer: NSObject {}
public enum CBPeripheralState: Int, Sendable { case disconnected, connecting, connected }
public struct CBError: Error {
  public enum Code: Int, Sendable { case notConnected = 3 }
  public init(_ code: Code) {}
}
open class CBPeripheral: CBPeer {
  public var state: CBPeripheralState { .disconnected }
  public weak var delegate: (any CBPeripheralDelegate)?
  public func writeValue(
    _ data: Data, for characteristic: CBCharacteristic, type: CBCharacteristicWriteType
  ) {}
}
public protocol CBPeripheralDelegate: NSObjectProtocol {
  func peripheral(
    _ peripheral: CBPeripheral, didWriteValueFor characteristic: CBCharacteristic,
    error: (any Error)?)
}
