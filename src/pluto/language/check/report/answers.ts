import type { ProjectPath } from '../../../../base/brand.ts';
import type { LoadedModule } from '../../modules/load-module.ts';
import type { ResolvedImport } from '../../modules/pluto-project.ts';
import type { Diagnostic } from '../../syntax/ast/diagnostic.ts';
import type { DeclId } from '../../syntax/ast/node.ts';
import type { Span } from '../../syntax/ast/span.ts';

/**
 * The program to check, read again by each query. An unsaved edit takes effect as soon as the source returns a new object for its
 * module; the same object means that the module is unchanged.
 */
export interface CheckSource {
  /** All modules of the program, sorted by path. */
  modules(): readonly LoadedModule[];
  /** The imports of a module, in source order. */
  importsOf(module: LoadedModule): readonly ResolvedImport[];
  /** A standard library module, by the path from `resolveImport`; undefined for any other path. */
  embedded(path: ProjectPath): LoadedModule | undefined;
  /** Invalid manifests, each with its reason. */
  readonly manifestProblems?: ReadonlyMap<ProjectPath, string>;
  /** Unreadable module files, each with its reason: the rest of a sentence that starts with the file name. */
  unreadable?(): ReadonlyMap<ProjectPath, string>;
}

/** A finding with its module. Spans are UTF-16 offsets into the text of the module. */
export interface FileDiagnostic extends Diagnostic {
  readonly file: ProjectPath;
}

/** An error that a call may raise. Built-in errors have an id as well. */
export interface ErrorRef {
  readonly id: DeclId;
  readonly name: string;
}

/** The errors that a function, method, test or `main` can raise to its caller, sorted by name. */
export interface ErrorSet {
  readonly errors: readonly ErrorRef[];
  /** Whether `errors` is not empty, so that calls need `!` or `catch`. */
  readonly isFallible: boolean;
}

/** The smallest expression, name or type at an offset, with its type. */
export interface TypeAt {
  /** The span of the name or expression. */
  readonly span: Span;
  /** The type as messages show it, such as `Map<string, int>`. The result type for functions and methods; empty for items without a type. */
  readonly type: string;
  /** The item that the name refers to. */
  readonly target: DeclId | undefined;
  /** The declaration of the local variable that the name refers to. */
  readonly local: Span | undefined;
}
