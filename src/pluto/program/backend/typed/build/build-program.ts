import type { ProjectPath } from '../../../../../base/brand.ts';
import type { PausableWork } from '../../../../../base/time-slice.ts';
import type { CheckedProgram } from '../../../../language/check/checked-program.ts';
import { parentsOf, unmetRequirements } from '../../../../language/check/declarations/stage.ts';
import type { ProgramFile } from '../../../../language/check/program/program-file.ts';
import type { FileDiagnostic } from '../../../../language/check/report/answers.ts';
import { appOf } from '../../../../language/check/types/make.ts';
import type { FunctionSymbol, StageSymbol, TestSymbol } from '../../../../language/check/types/type.ts';
import { extractCode } from '../extract-code.ts';
import { findRanges } from '../find-ranges.ts';
import { isShort } from '../is-short.ts';
import { specializeClosures } from '../specialize-closures.ts';
import type { FieldInit, TypedEntry, TypedFunction, TypedProgram, TypedTest } from '../typed-form.ts';
import { buildApp, buildClass, functionBody, testBody } from './build-bodies.ts';
import { instanceOf, newInstanceOf } from './injection.ts';
import { type AppChain, type Makers, ProgramBuilder } from './program-builder.ts';
import { testEntryFindings } from './test-entry.ts';

export interface BuildRequest {
  /** The module with the entry point or the tests. */
  readonly entry: ProjectPath;
  /** `run` leaves out tests, `test` leaves out `main`. */
  readonly mode: 'run' | 'test';
  readonly hasExtern: (name: string) => boolean;
}

/** A program and whether it is short (`isShort`), or the findings that prevent it: errors in its files, and unsupported features. */
export type BuildResult =
  | { readonly kind: 'built'; readonly program: TypedProgram; readonly isShort: boolean }
  | { readonly kind: 'refused'; readonly diagnostics: readonly FileDiagnostic[] };

const makers: Makers = {
  function: functionBody,
  class: buildClass,
  app: buildApp,
  instance: (program, type) => newInstanceOf(program, type, inner => instanceOf(program, inner)),
};

/**
 * Builds the typed form of a program. Code that is unreachable from the entry point and the tests is left out, and its errors are ignored.
 * A missing module becomes an empty program.
 */
export function* buildProgram(checked: CheckedProgram, request: BuildRequest): PausableWork<BuildResult> {
  const { entry: path, mode, hasExtern } = request;
  const program = new ProgramBuilder(checked, makers, hasExtern);
  const file = checked.program.files.get(path);
  if (file === undefined) {
    const diagnostics = program.errorsOf(path);
    return diagnostics.length > 0
      ? { kind: 'refused', diagnostics }
      : yield* finished(program, undefined, [], 'Sequential');
  }
  if (!program.hasNoErrors(file)) return { kind: 'refused', diagnostics: program.diagnosticsFor(file) };
  const system = file.items.find(({ kind }) => kind === 'SystemDecl');
  if (system !== undefined) program.notSupported(file, system, 'a system');
  const unfit = mode === 'test' ? testEntryFindings(file) : [];
  if (unfit.length > 0) return { kind: 'refused', diagnostics: unfit };
  const entry = mode === 'run' ? findEntry(program, file) : undefined;
  const symbols = mode === 'test' ? Array.from(file.symbols.values()).filter(({ kind }) => kind === 'TestDecl') : [];
  const tests = symbols.flatMap(symbol => (symbol.kind === 'TestDecl' ? [testOf(program, symbol)] : []));
  yield* program.finish();
  const diagnostics = program.diagnosticsFor(file);
  if (diagnostics.length > 0) return { kind: 'refused', diagnostics };
  const scheduler = file.items.find(item => item.kind === 'TestsDecl')?.strategy.text ?? 'Sequential';
  return yield* finished(program, entry, tests, scheduler);
}

function* finished(
  { functions, classes, variants, enums, errors, externs, singletons, files, hasTasks }: ProgramBuilder,
  entry: TypedEntry | undefined,
  tests: readonly TypedTest[],
  scheduler: string,
): PausableWork<BuildResult> {
  const declarations = { functions, classes, variants, enums, errors, externs, singletons };
  const complete = { ...declarations, entry, tests, scheduler, files, hasTasks };
  // It ends before it would gain what these take.
  if (isShort(complete)) return { kind: 'built', program: complete, isShort: true };
  const specialized = { ...complete, functions: yield* specializeClosures(complete) };
  const program = { ...specialized, functions: yield* extractCode(specialized) };
  yield* findRanges(program);
  return { kind: 'built', program, isShort: false };
}

/** The entry point: in the file itself, or in the only other file of its module that has one. */
function findEntry(program: ProgramBuilder, file: ProgramFile): TypedEntry | undefined {
  const own = entryIn(program, file);
  if (own !== undefined) return own;
  const others = Array.from(program.checked.program.files.values()).filter(
    other => other !== file && other.names === file.names && file.sees(other) && mayStart(other),
  );
  const [only] = others;
  return only !== undefined && others.length === 1 ? entryIn(program, only) : undefined;
}

const mayStart = ({ symbols }: ProgramFile): boolean =>
  Array.from(symbols.values()).some(
    ({ kind, name }) => kind === 'AppDecl' || kind === 'StageDecl' || (kind === 'FunctionDecl' && name === 'main'),
  );

function entryIn(program: ProgramBuilder, file: ProgramFile): TypedEntry | undefined {
  const { checked } = program;
  const symbols = Array.from(file.symbols.values());
  const app = symbols.find(symbol => symbol.kind === 'AppDecl');
  if (app !== undefined) return appEntry(program, [app]);
  for (const stage of symbols) {
    if (stage.kind !== 'StageDecl' || !program.hasNoErrors(file)) continue;
    const parents = parentsOf({ context: checked }, stage);
    const chain = [stage, ...parents] as const;
    // A stage may be complete except for `main`.
    if (unmetRequirements(chain).length === 0 && chain.some(hasMain)) return appEntry(program, chain);
  }
  const main = symbols.find(symbol => symbol.kind === 'FunctionDecl' && symbol.name === 'main');
  return main?.kind === 'FunctionDecl' ? mainEntry(program, main) : undefined;
}

const hasMain = ({ decl }: StageSymbol): boolean =>
  decl.members.some(member => member.kind === 'MethodDecl' && member.name.text === 'main');

const mainEntry = (program: ProgramBuilder, symbol: FunctionSymbol): TypedEntry => ({
  kind: 'function',
  function: program.function(symbol, []),
});

function appEntry(program: ProgramBuilder, chain: AppChain): TypedEntry | undefined {
  const { checked } = program;
  for (const symbol of chain)
    for (const dep of symbol.decl.deps)
      if (dep.isRemote) program.notSupported(checked.program.fileOf(symbol), dep, 'a remote dependency');
  if (!chain.every(symbol => program.hasNoErrors(checked.program.fileOf(symbol)))) return undefined;
  const of = program.appOf(chain);
  const fields: readonly FieldInit[] = of.fields.map(({ type }, index) => ({
    index,
    value: type.kind === 'class' ? instanceOf(program, type) : { kind: 'empty', type },
  }));
  const app = { kind: 'object', type: appOf(chain[0]), of, fields, isChecked: false } as const;
  const main = of.methods.get('main');
  return main && { kind: 'app', app, main };
}

function testOf(program: ProgramBuilder, symbol: TestSymbol): TypedTest {
  const file = program.checked.program.fileOf(symbol);
  const title = symbol.decl.title.value;
  const head = { name: 'test', path: file.path, line: program.lineOf(file, symbol.decl.start), self: undefined };
  const body: TypedFunction = { ...head, body: testBody(program, symbol) };
  program.functions.push(body);
  return { title, body };
}
