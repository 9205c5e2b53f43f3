/// A render object that tells what happens to it.
public protocol RenderEventSource: AnyObject {
  /// Where it publishes its events; the same ring for its whole life.
  var events: RenderEventRing { get }
}
