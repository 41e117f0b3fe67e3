/** Measures the most frequent requests of agents, from the arguments of a tool to its structured content and text. */
import { createNodeFileSystem } from '../../../src/adapters/fs/node-file-system.ts';
import { createProgramRunner } from '../../../src/pluto/program/host/program-runner.ts';
import { nodeClock as clock } from '../../../src/adapters/node/clock.ts';
import { nodeHasher as hasher } from '../../../src/adapters/node/hasher.ts';
import { nodeRandom as random } from '../../../src/adapters/node/random.ts';
import { PlutoSession } from '../../../src/pluto/session/pluto-session.ts';
import { TimeSlice } from '../../../src/base/time-slice.ts';
import type { Item } from '../../../src/pluto/language/syntax/parts.ts';
import { eachItem, nameOfItem } from '../../../src/pluto/language/syntax/parts.ts';
import type { Tool } from '../../../src/mcp/tool.ts';
import { callersOf, usagesOf } from '../../../src/pluto/tools/usage-tools.ts';
import { findDeclaration } from '../../../src/pluto/tools/lookup-tools.ts';
import type { PlutoToolDeps } from '../../../src/pluto/tools/pluto-tool-deps.ts';
import { median, type Row } from '../row.ts';

const CALLS = 500;
const call = { signal: new AbortController().signal, requestedBy: 'the benchmark', progress: undefined };

/** @param folder a generated project of 1,000 modules */
export async function plutoQuestions(folder: string): Promise<readonly Row[]> {
  const files = createNodeFileSystem(folder, hasher);
  const tool = { name: 'bench', version: '0' };
  // Opened like in the bridge.
  const pluto = await PlutoSession.open({ files, hasher, random }, { tool, slice: new TimeSlice(clock) }, call.signal);
  const deps: PlutoToolDeps = {
    pluto,
    clock,
    programs: createProgramRunner({ folder, environment: {}, startedBy: 'agent' }),
  };
  const items: Item[] = [];
  const began = performance.now();
  for (const { module } of await pluto.modules(call.signal)) eachItem(module.tree.items, item => items.push(item));
  const readMs = performance.now() - began;
  const wanted = items.filter(item => /^(?:load|Item|label|Missing)\d*/.test(nameOfItem(item))).slice(0, CALLS);
  const called = items.filter(item => /^(?:load|score|describe|label)\d*/.test(nameOfItem(item))).slice(0, CALLS);
  const before = `; all modules were first read and checked in ${readMs.toFixed(0)} ms, with yields`;
  return [
    await row(
      deps,
      findDeclaration,
      'find_declaration',
      before,
      wanted.map(item => ({ name: nameOfItem(item) })),
    ),
    await row(
      deps,
      callersOf,
      'callers_of',
      '',
      called.map(({ id }) => ({ id })),
    ),
    await row(
      deps,
      usagesOf,
      'usages_of',
      '',
      wanted.map(({ id }) => ({ id })),
    ),
  ];
}

async function row(
  deps: PlutoToolDeps,
  tool: Tool<PlutoToolDeps>,
  name: string,
  before: string,
  calls: readonly Readonly<Record<string, unknown>>[],
): Promise<Row> {
  const times: number[] = [];
  const results: number[] = [];
  for (const args of calls) {
    const asked = performance.now();
    const { isError, structuredContent } = await tool.call(deps, args, call);
    times.push(performance.now() - asked);
    const found = (structuredContent as { readonly result?: readonly unknown[] } | undefined)?.result;
    if (isError === true || found === undefined) throw new Error(`${name}: ${JSON.stringify(args)}`);
    results.push(found.length);
  }
  const all = results.reduce((sum, count) => sum + count, 0);
  if (all < calls.length) throw new Error(`${name} found ${all} places in ${calls.length} calls`);
  const [first = 0, ...others] = times;
  const longest = Math.max(...others);
  return {
    name: `pluto ${name} in 1,000 modules, after the first call`,
    unit: 'ms',
    value: median(others),
    runs: others.length,
    limit: 5,
    detail: `longest ${longest.toFixed(1)} ms, with ${results[others.indexOf(longest) + 1]} results; first call ${first.toFixed(0)} ms${before}`,
  };
}
