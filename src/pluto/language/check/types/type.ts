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

/** Types without parts. `none` is the type of a bare `none`; `never` of code that does not come to its end; `unknown` of what is wrong already. */
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

/** Types are interned: two types are equal exactly when they are the same object. */
interface TypeOf<Kind extends string> {
  readonly kind: Kind;
  readonly id: number;
  /** Whether a type parameter is in it. */
  readonly isOpen: boolean;
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
/** Of `self` in an app or a stage. */
export interface AppType extends TypeOf<'app'> {
  readonly symbol: AppSymbol | StageSymbol;
}
/** Of the variable of a typed handler. */
export interface ErrorType extends TypeOf<'error'> {
  readonly symbol: ErrorSymbol;
}
/** A type parameter inside of the declaration that has it. */
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

// --- What types are made of: declarations, as long as they keep their id ---

/** Something that code may depend on. `changedAt` is the revision in which it last became another. */
export interface Versioned {
  changedAt: number;
}

interface SymbolOf<Decl, Signature> extends Versioned {
  readonly id: DeclId;
  /** Of no other symbol: a declaration that was renamed has its id still, and is another symbol. */
  readonly serial: number;
  readonly kind: Decl extends { readonly kind: infer Kind } ? Kind : never;
  readonly name: string;
  readonly file: FileRef;
  /** The node in the tree of now. */
  decl: Decl;
  /** The text of the declaration without its bodies: while it is the same, only names elsewhere can change the signature. */
  surface: string;
  signature: Signature | undefined;
  /** What `signature` was made from. */
  dependsOn: readonly Versioned[];
  /** The revision in which `signature` was last found to be right. */
  verifiedAt: number;
}

/** The module file that a declaration is in. */
export interface FileRef {
  readonly path: ProjectPath;
  /** Part of the language, not of the project. */
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
  /** In brackets or by `uses`: given by the program, never by a literal. */
  readonly isInjected: boolean;
  readonly isRemote: boolean;
}

export interface TypeParamSignature {
  readonly type: ParamType;
  readonly bounds: readonly TraitSymbol[];
  /** Whether the declaration names `T?` in what others see of it: then `T` cannot be nullable itself. */
  readonly isUsedAsNullable: boolean;
}

/** A function, extern or method. */
export interface Callable {
  readonly id: DeclId;
  readonly name: string;
  readonly typeParams: readonly TypeParamSignature[];
  readonly params: readonly FieldSignature[];
  readonly result: Type;
  /** `static` without a receiver. */
  readonly receiver: 'static' | 'self' | 'mut';
  readonly hasBody: boolean;
  readonly hasContracts: boolean;
}

export interface ClassSignature {
  readonly typeParams: readonly TypeParamSignature[];
  /** Injected ones first. */
  readonly fields: ReadonlyMap<string, FieldSignature>;
  readonly methods: ReadonlyMap<string, Callable>;
  readonly impls: readonly TraitSymbol[];
  readonly hasInjected: boolean;
  /** As it is written. */
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

/** Of a stage: without what it inherits. */
export interface AppSignature {
  readonly fields: ReadonlyMap<string, FieldSignature>;
  readonly methods: ReadonlyMap<string, Callable>;
  readonly parent: StageSymbol | undefined;
}
