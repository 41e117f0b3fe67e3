import { plainText } from '../../../base/line-ends.ts';
import { AppError, type SourceProblem } from '../../../base/errors.ts';
import type { Decl, ImportDecl, ParsedModule } from '../../language/syntax/ast/decl.ts';
import type { Diagnostic } from '../../language/syntax/ast/diagnostic.ts';
import { LineMap } from '../../language/syntax/line-map.ts';
import { parseModule } from '../../language/syntax/parse.ts';
import { isItem, type Item, partsOf } from '../../language/syntax/parts.ts';

/** The declaration that must surround a snippet so that it parses. */
export type SnippetContext = 'nothing' | 'class' | 'trait' | 'app' | 'stage' | 'enum' | 'system' | 'tests';

const heads: Readonly<Record<Exclude<SnippetContext, 'nothing'>, string>> = {
  class: 'class Around {',
  trait: 'trait Around {',
  app: 'app Around {',
  stage: 'stage Around {',
  enum: 'enum Around {',
  system: 'system Around {',
  tests: 'tests[scheduler: Sequential] {',
};

/** One item, given as source. */
export interface Snippet {
  readonly item: Item;
  /** With comments, without the imports above. */
  readonly text: string;
  readonly imports: readonly ImportDecl[];
}

/**
 * Parses exactly one item. A declaration may have imports above it.
 * @param what the subject of the error message
 * @throws AppError PLUTO_SOURCE_INVALID
 */
export function readSnippet(source: string, around: SnippetContext, what: string): Snippet {
  const text = plainText(source);
  const isTop = around === 'nothing';
  const module = parseModule(isTop ? text : `${heads[around]}\n${text}\n}\n`);
  const problems = problemsOf(module, isTop ? 0 : 1);
  if (problems.length > 0) throw new AppError('PLUTO_SOURCE_INVALID', { what, problems });
  const declared = module.tree.items.filter(isItem);
  const imports = declared.filter(item => item.kind === 'ImportDecl');
  const items: readonly Item[] = isTop
    ? declared.filter(item => item.kind !== 'ImportDecl')
    : declared.length === 1 && declared[0] !== undefined
      ? partsOf(declared[0])
      : declared;
  const [item] = items;
  if (item === undefined || items.length > 1) {
    const message = `expected exactly one ${isTop ? 'declaration' : 'member'}, found ${items.length}`;
    const problem = { line: 1, column: 1, code: 'one-declaration-expected', message };
    throw new AppError('PLUTO_SOURCE_INVALID', { what, problems: [problem] });
  }
  const start = imports.at(-1)?.end ?? 0;
  return { item, text: isTop ? text.slice(start) : text, imports };
}

/** Syntax errors with their positions, after `above` lines that the caller did not write. */
export function problemsOf(module: ParsedModule, above = 0): readonly SourceProblem[] {
  const errors = syntaxErrors(module);
  if (errors.length === 0) return [];
  const lines = new LineMap(module.text);
  return errors.slice(0, MAX_PROBLEMS).map(({ code, message, span }) => {
    const { line, column } = lines.position(span.start);
    return { line: Math.max(1, line - above), column, code, message };
  });
}

const MAX_PROBLEMS = 10;

export const syntaxErrors = ({ diagnostics }: ParsedModule): readonly Diagnostic[] =>
  diagnostics.filter(({ severity }) => severity === 'error');

/** The top-level declarations of a module, without broken ones. */
export const declarationsOf = (module: ParsedModule): readonly Exclude<Decl, { kind: 'BrokenDecl' }>[] =>
  module.tree.items.filter(isItem);
