import type { ProjectPath } from '../../../../base/brand.ts';
import type {
  AppDecl,
  ClassDecl,
  EnumDecl,
  ErrorDecl,
  ExternDecl,
  FunctionDecl,
  StageDecl,
  SystemDecl,
  TestDecl,
  TraitDecl,
} from '../../syntax/ast/decl.ts';
import type { DeclId } from '../../syntax/ast/node.ts';

/** Types without parts. `none`: a bare `none`; `never`: code that does not complete; `unknown`: code with an error that was reported. */
export type SimpleKind =
  | 'int'
  | 'float'
  | 'bool'
  | 'string'
  | 'byte'
  | 'bytes'
  | 'void'
  | 'range'
  | 'none'
  | 'never'
  | 'unknown'
  | 'any-error';

/** Types are interned: equal types are the same object. */
interface TypeOf<Kind extends string> {
  readonly kind: Kind;
  readonly id: number;
  /** Whether the type contains a type parameter, or an unknown type. */
  readonly isOpen: boolean;
  /**
   * Nesting depth; 0 for types without parts that are not declared. It is stored, because walking over a type takes exponential time: it
   * can contain another type several times.
   */
  readonly depth: number;
}

export interface SimpleType extends TypeOf<SimpleKind> {}

export interface ListType extends TypeOf<'list'> {
  readonly element: Type;
}
export interface MapType extends TypeOf<'map'> {
  readonly key: Type;
  readonly value: Type;
}
/** Types with one type argument, and `T?`. */
export interface WrapType extends TypeOf<'set' | 'task' | 'sender' | 'receiver' | 'stream' | 'nullable'> {
  readonly element: Type;
}
export interface FnType extends TypeOf<'fn'> {
  readonly params: readonly Type[];
  readonly result: Type;
}
export interface ClassType extends TypeOf<'class'> {
  readonly symbol: ClassSymbol;
  readonly args: readonly Type[];
}
export interface EnumType extends TypeOf<'enum'> {
  readonly symbol: EnumSymbol;
  readonly args: readonly Type[];
}
export interface TraitType extends TypeOf<'trait'> {
  readonly symbol: TraitSymbol;
}
/** The type of `self` in an app or a stage. */
export interface AppType extends TypeOf<'app'> {
  readonly symbol: AppSymbol | StageSymbol;
}
/** The type of the variable of a typed handler. */
export interface ErrorType extends TypeOf<'error'> {
  readonly symbol: ErrorSymbol;
}
/** A type parameter inside its declaration. */
export interface ParamType extends TypeOf<'param'> {
  readonly name: string;
  readonly owner: object;
}

export type Type =
  | SimpleType
  | ListType
  | MapType
  | WrapType
  | FnType
  | ClassType
  | EnumType
  | TraitType
  | AppType
  | ErrorType
  | ParamType;

// --- Symbols: declarations, as long as they keep their id ---

/** A dependency of a computation. `changedAt` is the revision of its last change. */
export interface Versioned {
  changedAt: number;
}

interface SymbolOf<Decl, Signature> extends Versioned {
  readonly id: DeclId;
  /** Unique among symbols: a renamed declaration keeps its id, but becomes a new symbol. */
  readonly serial: number;
  readonly kind: Decl extends { readonly kind: infer Kind } ? Kind : never;
  readonly name: string;
  readonly file: FileRef;
  /** The node in the current tree. */
  decl: Decl;
  /** The text of the declaration without its bodies. While it is unchanged, only names elsewhere can change the signature. */
  surface: string;
  signature: Signature | undefined;
  /** The dependencies of `signature`. */
  dependsOn: readonly Versioned[];
  /** The revision in which `signature` was last verified. */
  verifiedAt: number;
}

/** The module file of a declaration. */
export interface FileRef {
  readonly path: ProjectPath;
  /** Whether the file belongs to the standard library. */
  readonly isEmbedded: boolean;
}

export interface FunctionSymbol extends SymbolOf<FunctionDecl, Callable> {}
export interface ExternSymbol extends SymbolOf<ExternDecl, Callable> {}
export interface ClassSymbol extends SymbolOf<ClassDecl, ClassSignature> {}
export interface TraitSymbol extends SymbolOf<TraitDecl, TraitSignature> {}
export interface EnumSymbol extends SymbolOf<EnumDecl, EnumSignature> {}
export interface ErrorSymbol extends SymbolOf<ErrorDecl, ErrorSignature> {}
export interface AppSymbol extends SymbolOf<AppDecl, AppSignature> {}
export interface StageSymbol extends SymbolOf<StageDecl, AppSignature> {}
export interface SystemSymbol extends SymbolOf<SystemDecl, undefined> {}
export interface TestSymbol extends SymbolOf<TestDecl, undefined> {}

export type DeclSymbol =
  | FunctionSymbol
  | ExternSymbol
  | ClassSymbol
  | TraitSymbol
  | EnumSymbol
  | ErrorSymbol
  | AppSymbol
  | StageSymbol
  | SystemSymbol
  | TestSymbol;

export interface FieldSignature {
  readonly id: DeclId;
  readonly name: string;
  readonly type: Type;
  /** Whether dependency injection sets the field (`[…]` or `uses`), never a literal. */
  readonly isInjected: boolean;
  readonly isRemote: boolean;
}

export interface TypeParamSignature {
  readonly type: ParamType;
  readonly bounds: readonly TraitSymbol[];
  /** Whether the signature contains `T?`. A type argument for `T` then cannot be nullable itself. */
  readonly isUsedAsNullable: boolean;
}

/** A function, extern or method. */
export interface Callable {
  readonly id: DeclId;
  readonly name: string;
  readonly typeParams: readonly TypeParamSignature[];
  readonly params: readonly FieldSignature[];
  readonly result: Type;
  /** `static` for a method without a receiver. */
  readonly receiver: 'static' | 'self' | 'mut';
  readonly hasBody: boolean;
  readonly hasContracts: boolean;
}

export interface ClassSignature {
  readonly typeParams: readonly TypeParamSignature[];
  /** Injected fields first. */
  readonly fields: ReadonlyMap<string, FieldSignature>;
  readonly methods: ReadonlyMap<string, Callable>;
  readonly impls: readonly TraitSymbol[];
  readonly hasInjected: boolean;
  /** The declared lifecycle. */
  readonly lifecycle: 'singleton' | 'scoped' | 'transient';
}

export interface TraitSignature {
  readonly methods: ReadonlyMap<string, Callable>;
}

export interface VariantSignature {
  readonly id: DeclId;
  readonly name: string;
  readonly fields: ReadonlyMap<string, FieldSignature>;
}

export interface EnumSignature {
  readonly typeParams: readonly TypeParamSignature[];
  readonly variants: ReadonlyMap<string, VariantSignature>;
}

export interface ErrorSignature {
  readonly fields: ReadonlyMap<string, FieldSignature>;
}

/** Signature of an app, or of a stage without inherited members. */
export interface AppSignature {
  readonly fields: ReadonlyMap<string, FieldSignature>;
  readonly methods: ReadonlyMap<string, Callable>;
  readonly parent: StageSymbol | undefined;
}
