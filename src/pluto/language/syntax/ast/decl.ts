import type { Diagnostic } from './diagnostic.ts';
import type { Span } from './span.ts';
import type { Block, Expr, Param, StringExpr } from './code.ts';
import type { Identified, Name, NodeOf } from './node.ts';
import type { Type } from './type.ts';

/** A `//` comment without its line end. */
export type Comment = Span;

/** One text with everything that parsing found. `comments` and `diagnostics` are in source order. */
export interface ParsedModule {
  readonly text: string;
  readonly tree: Module;
  readonly comments: readonly Comment[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface Module extends NodeOf<'Module'> {
  /** In source order, including imports. */
  readonly items: readonly Decl[];
}

export type Decl =
  | ImportDecl
  | FunctionDecl
  | ClassDecl
  | TraitDecl
  | EnumDecl
  | ErrorDecl
  | ExternDecl
  | AppDecl
  | StageDecl
  | SystemDecl
  | TestDecl
  | TestsDecl
  | BrokenDecl;

export interface ImportDecl extends NodeOf<'ImportDecl'>, Identified {
  readonly path: readonly Name[];
  readonly alias: Name | undefined;
}

export interface FunctionDecl extends NodeOf<'FunctionDecl'>, Identified {
  readonly isPub: boolean;
  readonly name: Name;
  readonly typeParams: readonly TypeParam[];
  readonly params: readonly Param[];
  readonly result: Type | undefined;
  readonly contracts: readonly Contract[];
  readonly body: Block;
}

export interface ClassDecl extends NodeOf<'ClassDecl'>, Identified {
  readonly isPub: boolean;
  /** The modifier before `class`; a class without one is a singleton. */
  readonly lifecycle: 'singleton' | Lifecycle;
  readonly name: Name;
  readonly typeParams: readonly TypeParam[];
  readonly uses: readonly Name[];
  readonly deps: readonly Dep[];
  readonly impls: readonly Name[];
  readonly members: readonly (Field | MethodDecl | Invariant)[];
}

export interface TraitDecl extends NodeOf<'TraitDecl'>, Identified {
  readonly isPub: boolean;
  readonly name: Name;
  readonly members: readonly MethodDecl[];
}

export interface EnumDecl extends NodeOf<'EnumDecl'>, Identified {
  readonly isPub: boolean;
  readonly name: Name;
  readonly typeParams: readonly TypeParam[];
  readonly variants: readonly VariantDecl[];
}

export interface ErrorDecl extends NodeOf<'ErrorDecl'>, Identified {
  readonly isPub: boolean;
  readonly name: Name;
  readonly fields: readonly Field[];
}

export interface ExternDecl extends NodeOf<'ExternDecl'>, Identified {
  readonly isPub: boolean;
  readonly name: Name;
  readonly params: readonly Param[];
  readonly result: Type | undefined;
}

export interface AppDecl extends NodeOf<'AppDecl'>, Identified {
  readonly name: Name;
  readonly deps: readonly Dep[];
  readonly members: readonly (AmbientItem | LifecycleItem | MethodDecl)[];
}

export interface StageDecl extends NodeOf<'StageDecl'>, Identified {
  readonly name: Name;
  readonly parent: Name | undefined;
  readonly deps: readonly Dep[];
  readonly members: readonly (AmbientItem | LifecycleItem | RequiredMethod | MethodDecl)[];
}

export interface SystemDecl extends NodeOf<'SystemDecl'>, Identified {
  readonly name: Name;
  readonly members: readonly SystemMember[];
}

export interface TestDecl extends NodeOf<'TestDecl'>, Identified {
  readonly title: StringExpr;
  readonly body: Block;
}

/** `tests[scheduler: Strategy] { … }` */
export interface TestsDecl extends NodeOf<'TestsDecl'>, Identified {
  readonly strategy: Name;
  readonly tests: readonly TestDecl[];
}

/** Top-level text that is not a declaration. */
export interface BrokenDecl extends NodeOf<'BrokenDecl'> {}

// --- Parts of declarations ---

export type Lifecycle = 'scoped' | 'transient';

/** Every nested item of a declaration that has an id. */
export type Part = Param | Receiver | Field | Dep | MethodDecl | RequiredMethod | VariantDecl | SystemMember | TestDecl;

export interface TypeParam extends NodeOf<'TypeParam'> {
  readonly name: Name;
  readonly bounds: readonly Name[];
}

/** `self` or `mut self` at the start of a parameter list. */
export interface Receiver extends NodeOf<'Receiver'>, Identified {
  readonly isMut: boolean;
}

export interface Field extends NodeOf<'Field'>, Identified {
  readonly name: Name;
  readonly type: Type;
}

/** An injected dependency in brackets. */
export interface Dep extends NodeOf<'Dep'>, Identified {
  readonly name: Name;
  readonly isRemote: boolean;
  readonly type: Type;
}

/** A method of a class, trait, app or stage. Only methods of traits may lack a body; `isPub` and `isOverride` only occur in stages. */
export interface MethodDecl extends NodeOf<'MethodDecl'>, Identified {
  readonly isPub: boolean;
  readonly isOverride: boolean;
  readonly name: Name;
  /** Without one, the method is static. */
  readonly receiver: Receiver | undefined;
  readonly params: readonly Param[];
  readonly result: Type | undefined;
  readonly contracts: readonly Contract[];
  readonly body: Block | undefined;
}

/** `requires fn …` in a stage. */
export interface RequiredMethod extends NodeOf<'RequiredMethod'>, Identified {
  readonly isPub: boolean;
  readonly name: Name;
  readonly receiver: Receiver | undefined;
  readonly params: readonly Param[];
  readonly result: Type | undefined;
}

export interface VariantDecl extends NodeOf<'Variant'>, Identified {
  readonly name: Name;
  /** Undefined for a variant without braces. */
  readonly fields: readonly Field[] | undefined;
}

/** `deployment: module` */
export interface SystemMember extends NodeOf<'SystemMember'>, Identified {
  readonly name: Name;
  readonly module: Name;
}

/** `requires condition` between the signature and the body. */
export interface Contract extends NodeOf<'Contract'> {
  readonly condition: Expr;
}

export interface Invariant extends NodeOf<'Invariant'> {
  readonly condition: Expr;
}

/** `ambient Name` */
export interface AmbientItem extends NodeOf<'AmbientItem'> {
  readonly name: Name;
}

/** `scoped Name` or `transient Name`: overrides the lifecycle of that class. */
export interface LifecycleItem extends NodeOf<'LifecycleItem'> {
  readonly lifecycle: Lifecycle;
  readonly name: Name;
}
