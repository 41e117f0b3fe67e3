import type { PausableWork } from '../../../../base/time-slice.ts';
import type {
  TypedClass,
  TypedEntry,
  TypedError,
  TypedFunction,
  TypedMethod,
  TypedProgram,
  TypedSingleton,
} from '../typed/typed-form.ts';
import { BodyEmitter } from './body.ts';
import { CallGraph } from '../typed/call-graph.ts';
import {
  classText,
  type Define,
  errorText,
  externText,
  functionText,
  singletonText,
  variantText,
} from './definitions.ts';
import { INT_OPERATIONS } from './int-code.ts';
import { byteLiteral } from './js-names.ts';
import { ProgramEmitter } from './program-emitter.ts';
import { rules } from './values.ts';

/** Functions that another emitter takes over. */
export interface OtherFunctions {
  /**
   * Defines a function under a name; for a class, the one that checks its invariants.
   *
   * @param fallback the name of its JavaScript
   * @returns `undefined` if it stays JavaScript
   */
  definition(
    of: TypedFunction | TypedMethod | TypedClass | TypedSingleton,
    name: string,
    fallback: string,
  ): string | undefined;
  /** The code that the definitions require, and the source places in it. @param errorName the name of the type of an error, which is defined after this code */
  finish(
    errorName: (error: TypedError) => string,
  ): PausableWork<{ readonly definition: string; readonly places: string }>;
}

/**
 * Emits a program as the body of a function with the parameter `$rt` that returns a `Program`.
 *
 * @param others `undefined`: everything stays JavaScript
 */
export function* emitProgram(typed: TypedProgram, others: OtherFunctions | undefined): PausableWork<string> {
  const program = new ProgramEmitter(typed, yield* CallGraph.of(typed));
  const definitions: string[] = [];
  const add = function* <T>(all: readonly T[], text: (program: ProgramEmitter, one: T) => string): PausableWork<void> {
    for (const one of all) {
      definitions.push(text(program, one));
      yield;
    }
  };
  yield* add(typed.variants, variantText);
  yield* add(typed.errors, errorText);
  yield* add(typed.externs, externText);
  // If a function can become WebAssembly, its JavaScript is used where the engine does not support that.
  const define: Define = (of, name, text) => {
    const fallback = `${name}$js`;
    const definition = others?.definition(of, name, fallback);
    return definition === undefined ? text(name) : `${text(fallback)}\n${definition}`;
  };
  yield* add(typed.functions, (_, one) => define(one, program.function(one), name => functionText(program, one, name)));
  yield* add(typed.classes, (_, one) => classText(program, one, define));
  yield* add(typed.singletons, (_, one) =>
    define(one, program.singleton(one), name => singletonText(program, one, name)),
  );
  const entry = typed.entry === undefined ? 'undefined' : entryText(program, typed.entry);
  const tests = typed.tests.map(({ title, body }) => {
    const isBlocking = program.graph.isBlocking(body);
    return `{ name: ${byteLiteral(title)}, isBlocking: ${isBlocking}, run: ${program.function(body)} }`;
  });
  const module =
    others === undefined ? { definition: '', places: '' } : yield* others.finish(error => program.error(error));
  const operations = yield* program.operationsIn(definitions);
  const files = typed.files.map(byteLiteral).join(', ');
  const origin = `{ here: new Error(), files: [${files}], wasm: [${module.places}] }`;
  return yield* joined([
    '"use strict";',
    INT_OPERATIONS,
    ...operations,
    module.definition,
    ...definitions,
    `return { entry: ${entry}, tests: [${tests.join(', ')}], scheduler: "${typed.scheduler}", origin: ${origin} };\n`,
  ]);
}

/** Definitions between two pauses. */
const DEFINITIONS_PER_STEP = 256;

/** Joins lines in pieces: the engine copies the parts of a concatenated text only now. */
function* joined(lines: readonly string[]): PausableWork<string> {
  const pieces: string[] = [];
  for (let at = 0; at < lines.length; at += DEFINITIONS_PER_STEP) {
    pieces.push(lines.slice(at, at + DEFINITIONS_PER_STEP).join('\n'));
    yield;
  }
  return pieces.join('\n');
}

function entryText(program: ProgramEmitter, entry: TypedEntry): string {
  if (entry.kind === 'function') {
    const { function: main } = entry;
    return runText(program, main, `${program.function(main)}()`, '', main.body.result.kind === 'int');
  }
  const { app, main } = entry;
  const made = new BodyEmitter(program, rules, main).code(app);
  const before = `const app = $rt.shared(${made});\n`;
  return runText(program, main, `${program.method(main)}(app)`, before, false);
}

function runText(
  { graph }: ProgramEmitter,
  key: Parameters<typeof graph.isBlocking>[0],
  call: string,
  before: string,
  isInt: boolean,
): string {
  const isBlocking = graph.isBlocking(key);
  const called = isBlocking ? `(yield* ${call})` : call;
  const result = isInt ? `$$wide(${called})` : called;
  return `{ isBlocking: ${isBlocking}, run: ${isBlocking ? 'function* ()' : '() =>'} {\n${before}return ${result};\n} }`;
}
