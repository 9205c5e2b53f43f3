// The public names of SwiftUI that are used, as in the iOS 18.1 SDK.
@_exported import Foundation
@_exported import UIKit
public import UniformTypeIdentifiers
@MainActor @preconcurrency public protocol View {
  associatedtype Body: View
  @ViewBuilder @MainActor @preconcurrency var body: Body { get }
}
extension Never: View { public var body: Never { return fatalError() } }
public protocol BuiltIn: View where Body == Never {}
extension BuiltIn { public var body: Never { return fatalError() } }
public struct EmptyView: BuiltIn {}
public struct TupleView<T>: BuiltIn {}
extension Optional: View where Wrapped: View { public var body: Never { return fatalError() } }
public struct ConditionalContent<First: View, Second: View>: BuiltIn {}
@resultBuilder public struct ViewBuilder {
  public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
  public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
  public static func buildBlock<each Content: View>(_ content: repeat each Content)
    -> TupleView<(repeat each Content)> { TupleView() }
  public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
  public static func buildEither<First: View, Second: View>(first: First)
    -> ConditionalContent<First, Second> { ConditionalContent() }
  public static func buildEither<First: View, Second: View>(second: Second)
    -> ConditionalContent<First, Second> { ConditionalContent() }
}
@MainActor @preconcurrency public protocol Scene {
  associatedtype Body: Scene
  @MainActor @preconcurrency var body: Body { get }
}
extension Never: Scene {}
public struct WindowGroup<Content: View>: Scene {
  public init(@ViewBuilder content: () -> Content) {}
  public var body: Never { return fatalError() }
}
@MainActor @preconcurrency public protocol App {
  associatedtype Body: Scene
  @MainActor @preconcurrency var body: Body { get }
  @MainActor @preconcurrency init()
}
extension App { @MainActor @preconcurrency public static func main() {} }
@propertyWrapper public struct State<Value> {
  public init(wrappedValue: Value) {}
  public var wrappedValue: Value {
    get { fatalError() }
    nonmutating set {}
  }
  public var projectedValue: Binding<Value> { fatalError() }
}
@propertyWrapper @dynamicMemberLookup public struct Binding<Value> {
  public init(
    @_inheritActorContext get: @escaping @isolated(any) @Sendable () -> Value,
    @_inheritActorContext set: @escaping @isolated(any) @Sendable (Value) -> Void
  ) {}
  public var wrappedValue: Value {
    get { fatalError() }
    nonmutating set {}
  }
  public subscript<Subject>(dynamicMember keyPath: WritableKeyPath<Value, Subject>)
    -> Binding<Subject> { fatalError() }
}
public struct Text: BuiltIn { public init<S: StringProtocol>(_ content: S) {} }
public struct Button<Label: View>: BuiltIn {
  @preconcurrency public init<S: StringProtocol>(_ title: S, action: @escaping @MainActor () -> Void)
  where Label == Text {}
}
public struct Toggle<Label: View>: BuiltIn {
  public init<S: StringProtocol>(_ title: S, isOn: Binding<Bool>) where Label == Text {}
}
public struct Slider<Label: View, ValueLabel: View>: BuiltIn {
  public init(
    value: Binding<Double>, in bounds: ClosedRange<Double>, @ViewBuilder label: () -> Label,
    @ViewBuilder minimumValueLabel: () -> ValueLabel,
    @ViewBuilder maximumValueLabel: () -> ValueLabel,
    onEditingChanged: @escaping (Bool) -> Void = { _ in }
  ) {}
}
public struct ProgressView: BuiltIn { public init(value: Double) {} }
public struct HStack<Content: View>: BuiltIn { public init(@ViewBuilder content: () -> Content) {} }
public struct NavigationLink<Label: View, Destination: View>: BuiltIn {
  public init<S: StringProtocol>(_ title: S, @ViewBuilder destination: () -> Destination)
  where Label == Text {}
}
public struct UIViewRepresentableContext<Representable> {}
@MainActor @preconcurrency public protocol UIViewRepresentable: View where Body == Never {
  associatedtype UIViewType: UIView
  func makeUIView(context: Context) -> UIViewType
  func updateUIView(_ uiView: UIViewType, context: Context)
  typealias Context = UIViewRepresentableContext<Self>
}
extension UIViewRepresentable { public var body: Never { return fatalError() } }
public struct Form<Content: View>: BuiltIn { public init(@ViewBuilder content: () -> Content) {} }
public struct NavigationStack<Root: View>: BuiltIn { public init(@ViewBuilder root: () -> Root) {} }
public struct Section<Content: View>: BuiltIn {
  public init<S: StringProtocol>(_ title: S, @ViewBuilder content: () -> Content) {}
}
public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content: View>: BuiltIn {
  public init(_ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> Content) {}
  public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content)
  where Data.Element: Identifiable, ID == Data.Element.ID {}
}
extension View {
  public func navigationTitle<S: StringProtocol>(_ title: S) -> some View { self }
  public func task(@_inheritActorContext _ action: @escaping @Sendable () async -> Void) -> some View
  { self }
  public func task<ID: Equatable>(
    id: ID, @_inheritActorContext _ action: @escaping @Sendable () async -> Void
  ) -> some View { self }
  public func navigationDestination<Destination: View>(
    isPresented: Binding<Bool>, @ViewBuilder destination: () -> Destination
  ) -> some View { self }
  public func alert<S: StringProtocol, A: View, M: View>(
    _ title: S, isPresented: Binding<Bool>, @ViewBuilder actions: () -> A,
    @ViewBuilder message: () -> M
  ) -> some View { self }
  public func fileImporter(
    isPresented: Binding<Bool>, allowedContentTypes: [UTType],
    onCompletion: @escaping (Result<URL, any Error>) -> Void
  ) -> some View { self }
}
