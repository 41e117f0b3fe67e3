import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileFunction } from 'node:vm';
import type { ProjectPath } from '../../../../../src/base/brand.ts';
import { runToEnd } from '../../../../../src/base/time-slice.ts';
import { lowerProgram } from '../../../../../src/pluto/program/backend/lower-program.ts';
import { isExtern } from '../../../../../src/pluto/program/runtime/externs/externs.ts';
import { type MakeProgram, runProgram } from '../../../../../src/pluto/program/runtime/run-program.ts';
import type { Block } from '../../../../../src/pluto/language/syntax/ast/code.ts';
import type { Decl } from '../../../../../src/pluto/language/syntax/ast/decl.ts';
import { parseModule } from '../../../../../src/pluto/language/syntax/parse.ts';
import { MemoryProgramHost } from '../../../../harness/memory-program-host.ts';
import { CheckWorld } from '../../language/check-world.ts';
import { runPrograms } from './run-programs.ts';

/** Programs of one file with a `main` whose outcome is fully expected. */
const programs = runPrograms().flatMap(({ name, files, input, expected }) => {
  const [source, ...others] = Object.values(files);
  const isFit = source !== undefined && others.length === 0 && expected.tests === undefined && expected.refused === '';
  return isFit && !source.includes('std.time') ? [{ name, source, input, expected }] : [];
});

const bodiesOf = (decl: Decl): readonly (Block | undefined)[] => {
  if (decl.kind === 'FunctionDecl') return [decl.body];
  return decl.kind === 'ClassDecl' || decl.kind === 'TraitDecl' || decl.kind === 'AppDecl'
    ? decl.members.map(member => ('body' in member ? member.body : undefined))
    : [];
};

/** Makes every function and method wait for a channel first, so that all of them are lowered as blocking. */
function whereAllWaits(source: string): string {
  const waits =
    'fn wait_() {\n    let (tx_, rx_) = chan<int>()\n    tx_.send(1) catch e_ { return }\n    rx_.recv() catch 0\n}\n';
  const starts = parseModule(source)
    .tree.items.flatMap(bodiesOf)
    .flatMap(body => body?.start ?? [])
    .toSorted((a, b) => b - a);
  const waiting = starts.reduce((text, at) => `${text.slice(0, at)}{\n    wait_()\n${text.slice(at + 1)}`, source);
  return `${waiting}\n${waits}`;
}

/** Moves the body of `main` into another construct; `undefined` for a program with another entry point. */
const startedBy =
  (inside: (body: string) => string) =>
  (source: string): string | undefined => {
    const main = parseModule(source).tree.items.find(
      item => item.kind === 'FunctionDecl' && item.name.text === 'main' && item.result === undefined,
    );
    if (main?.kind !== 'FunctionDecl' || main.body === undefined) return undefined;
    const body = source.slice(main.body.start, main.body.end);
    return `${source.slice(0, main.start)}${source.slice(main.end)}\n${inside(body)}`;
  };

/** The output and exit code of a program; `undefined` if the checker rejects it. */
async function outcomeOf(source: string, input: string) {
  const { checker } = await CheckWorld.of({ 'main.pt': source });
  const how = { entry: 'main.pt' as ProjectPath, mode: 'run', hasExtern: isExtern } as const;
  const lowered = runToEnd(lowerProgram(checker.checked(), how));
  if (lowered.kind === 'refused') return undefined;
  const run = (hasWasm: boolean) => {
    const host = new MemoryProgramHost(input, hasWasm);
    const exit = runProgram(compileFunction(lowered.text, ['$rt']) as MakeProgram, host);
    return { out: host.textOf('stdout'), exit };
  };
  const outcome = run(true);
  assert.deepEqual(outcome, run(false), 'WebAssembly, and JavaScript alone');
  return outcome;
}

async function expectSame(change: (source: string) => string | undefined, least: number): Promise<void> {
  let same = 0;
  for (const { name, source, input, expected } of programs) {
    const changed = change(source);
    const outcome = changed === undefined ? undefined : await outcomeOf(changed, input);
    if (outcome === undefined) continue;
    assert.deepEqual(outcome, { out: expected.out, exit: expected.exit }, `${name}\n${changed}`);
    same += 1;
  }
  assert.ok(same >= least, `${same} programs`);
}

test('behaves the same when every function may block', () => expectSame(whereAllWaits, 150));

test('behaves the same inside a closure', () =>
  expectSame(
    startedBy(body => `fn main() {\n    let all_ = () => ${body}\n    all_()\n}\n`),
    100,
  ));

test('behaves the same in a method of a generic class', () => {
  const main = 'fn main() {\n    All_<int> { one: 1 }.run()\n}\n';
  return expectSame(
    startedBy(body => `class All_<T> {\n    one: T\n    fn run(self) ${body}\n}\n${main}`),
    80,
  );
});
