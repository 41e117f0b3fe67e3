import type { ProjectPath } from '../../../../base/brand.ts';
import type { LoadedModule } from '../../modules/load-module.ts';
import type { ResolvedImport } from '../../modules/pluto-project.ts';
import type { Diagnostic } from '../../syntax/ast/diagnostic.ts';
import type { DeclId } from '../../syntax/ast/node.ts';
import type { Span } from '../../syntax/ast/span.ts';

/**
 * The program that is checked, as it is now: read anew at each question, so edits in memory count as soon as the source hands out
 * another object for their module. What is the same object as before is taken as unchanged.
 */
export interface CheckSource {
  /** All modules of the program, sorted by path. */
  modules(): readonly LoadedModule[];
  /** The imports of one of them, in the order of the text. */
  importsOf(module: LoadedModule): readonly ResolvedImport[];
  /** A module that comes with the language, by the path that `resolveImport` gave; undefined for any other path. */
  embedded(path: ProjectPath): LoadedModule | undefined;
  /** Manifests that cannot be used, with the reason. */
  readonly manifestProblems?: ReadonlyMap<ProjectPath, string>;
  /** Module files that cannot be read, with the reason as the rest of a sentence that starts with the file. */
  unreadable?(): ReadonlyMap<ProjectPath, string>;
}

/** A finding with the module that it is in. Spans are UTF-16 offsets into the text of that module. */
export interface FileDiagnostic extends Diagnostic {
  readonly file: ProjectPath;
}

/** One error that a call may raise. Errors that come with the language have an id as well. */
export interface ErrorRef {
  readonly id: DeclId;
  readonly name: string;
}

/** What a function, method, test or main of an app can raise to its caller, sorted by name. */
export interface ErrorSet {
  readonly errors: readonly ErrorRef[];
  /** `errors` is not empty: calls need `!` or `catch`. */
  readonly isFallible: boolean;
}

/** What is known of the smallest expression, name or type at a place. */
export interface TypeAt {
  /** The name or expression that was found. */
  readonly span: Span;
  /** As messages show it: `Map<string, int>`, `fn(int) bool`; of what is called its result; empty for what has no type, such as a class. */
  readonly type: string;
  /** What the name there stands for, when that is an item. */
  readonly target: DeclId | undefined;
  /** Where the variable there is declared, when it is one of the same function. */
  readonly local: Span | undefined;
}
