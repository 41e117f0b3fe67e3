import type { ProjectPath } from '../../../../base/brand.ts';
import type { PausableWork } from '../../../../base/time-slice.ts';
import type { CheckedProgram } from '../../../language/check/checked-program.ts';
import { parentsOf, unmetRequirements } from '../../../language/check/declarations/stage.ts';
import type { ProgramFile } from '../../../language/check/program/program-file.ts';
import type { FileDiagnostic } from '../../../language/check/report/answers.ts';
import type { AppSymbol, FunctionSymbol, StageSymbol, TestSymbol } from '../../../language/check/types/type.ts';
import { called, choice, functionKey, methodKey } from './blocking.ts';
import { functionText, testText } from './callables.ts';
import { appText, classText, fieldsOfApp } from './classes.ts';
import { instanceOf } from './injection.ts';
import { byteLiteral } from '../js-names.ts';
import { COMPACT_INTS } from './int-code.ts';
import { testEntryFindings } from './test-entry.ts';
import { type Makers, ProgramLowering } from './program-lowering.ts';

/** The JavaScript of a program, or the findings that prevent it: errors in its files, and unsupported features. */
export type Lowered =
  | { readonly kind: 'lowered'; readonly text: string; readonly hasEntry: boolean; readonly tests: number }
  | { readonly kind: 'refused'; readonly diagnostics: readonly FileDiagnostic[] };

export interface LowerRequest {
  /** The module with the entry point or the tests. */
  readonly entry: ProjectPath;
  /** `run` leaves out tests, `test` leaves out `main`. */
  readonly mode: 'run' | 'test';
  readonly hasExtern: (name: string) => boolean;
}

/**
 * Lowers a program to the body of a function with the parameter `$rt` that returns a `Program`. Code that is unreachable from the
 * entry point and the tests is left out, and its errors are ignored. A missing module becomes an empty program.
 */
export function* lowerProgram(
  checked: CheckedProgram,
  { entry, mode, hasExtern }: LowerRequest,
): PausableWork<Lowered> {
  const program = new ProgramLowering(checked, makers, hasExtern);
  const file = checked.program.files.get(entry);
  if (file === undefined) {
    const diagnostics = program.errorsOf(entry);
    return diagnostics.length > 0 ? { kind: 'refused', diagnostics } : EMPTY;
  }
  if (!program.hasNoErrors(file)) return { kind: 'refused', diagnostics: program.diagnosticsFor(file) };
  const system = file.items.find(({ kind }) => kind === 'SystemDecl');
  if (system !== undefined) program.notSupported(file, system, 'a system');
  const unfit = mode === 'test' ? testEntryFindings(file) : [];
  if (unfit.length > 0) return { kind: 'refused', diagnostics: unfit };
  const start = mode === 'run' ? entryText(program, file) : undefined;
  const tests = mode === 'test' ? Array.from(file.symbols.values()).filter(symbol => symbol.kind === 'TestDecl') : [];
  const testTexts = tests.map(test => testEntry(program, test));
  const definitions = yield* program.finish();
  const diagnostics = program.diagnosticsFor(file);
  if (diagnostics.length > 0) return { kind: 'refused', diagnostics };
  const scheduler = file.items.find(item => item.kind === 'TestsDecl')?.strategy.text ?? 'Sequential';
  const wasm = program.wasm.finish();
  const origin = `{ here: new Error(), files: [${program.markedFiles.map(byteLiteral).join(', ')}], wasm: [${wasm.places}] }`;
  const result = `{ entry: ${start ?? 'undefined'}, tests: [${testTexts.join(', ')}], scheduler: "${scheduler}", origin: ${origin} }`;
  const texts = yield* program.blocking.settle([
    '"use strict";',
    COMPACT_INTS,
    ...program.operationsIn(definitions),
    wasm.definition,
    ...definitions,
    `return ${result};\n`,
  ]);
  return { kind: 'lowered', text: texts.join('\n'), hasEntry: start !== undefined, tests: tests.length };
}

const makers: Makers = { function: functionText, class: classText };

const EMPTY: Lowered = {
  kind: 'lowered',
  text: 'return { entry: undefined, tests: [], scheduler: "Sequential" };\n',
  hasEntry: false,
  tests: 0,
};

/** The entry point: in the file itself, or in the only other file of its module that has one. */
function entryText(program: ProgramLowering, file: ProgramFile): string | undefined {
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

function entryIn(program: ProgramLowering, file: ProgramFile): string | undefined {
  const { checked } = program;
  const symbols = Array.from(file.symbols.values());
  const app = symbols.find(symbol => symbol.kind === 'AppDecl');
  if (app !== undefined) return program.hasNoErrors(file) ? appEntry(program, [app]) : '';
  for (const stage of symbols) {
    if (stage.kind !== 'StageDecl' || !program.hasNoErrors(file)) continue;
    const chain = [stage, ...parentsOf({ context: checked }, stage)];
    // A stage may be complete except for `main`.
    if (unmetRequirements(chain).length === 0 && chain.some(hasMain)) return appEntry(program, chain);
  }
  const main = symbols.find(symbol => symbol.kind === 'FunctionDecl' && symbol.name === 'main');
  return main?.kind === 'FunctionDecl' ? mainEntry(program, main) : undefined;
}

const hasMain = ({ decl }: StageSymbol): boolean =>
  decl.members.some(member => member.kind === 'MethodDecl' && member.name.text === 'main');

function mainEntry(program: ProgramLowering, symbol: FunctionSymbol): string {
  const isInt = program.checked.signatures.callable(symbol).result.kind === 'int';
  return runText(functionKey(symbol.serial), `${program.function(symbol)}()`, '', isInt);
}

function runText(key: string, call: string, before = '', isInt = false): string {
  const result = isInt ? `$$wide(${called(key, call)})` : called(key, call);
  return `{ isBlocking: ${choice(key, 'true', 'false')}, run: ${choice(key, 'function* ()', '() =>')} {\n${before}return ${result};\n} }`;
}

function appEntry(program: ProgramLowering, chain: readonly (AppSymbol | StageSymbol)[]): string {
  const { checked } = program;
  const [first] = chain;
  if (first === undefined) return 'undefined';
  for (const symbol of chain)
    for (const dep of symbol.decl.deps)
      if (dep.isRemote) program.notSupported(checked.program.fileOf(symbol), dep, 'a remote dependency');
  const name = program.once(first, first.name, made => appText(program, made, chain));
  const args = fieldsOfApp(program, chain).map(field => {
    for (const symbol of chain) {
      const type = checked.signatures.app(symbol).fields.get(field)?.type;
      if (type?.kind === 'class') return instanceOf(program, type);
    }
    return 'null';
  });
  const app = `const app = $rt.shared(new ${name}(${args.join(', ')}));\n`;
  return runText(methodKey('main'), 'app.main()', app);
}

function testEntry(program: ProgramLowering, symbol: TestSymbol): string {
  const key = functionKey(symbol.serial);
  const run = program.name('test');
  program.define(testText(program, run, symbol));
  return `{ name: ${byteLiteral(symbol.decl.title.value)}, isBlocking: ${choice(key, 'true', 'false')}, run: ${run} }`;
}
