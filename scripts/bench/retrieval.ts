import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rgPath } from '@vscode/ripgrep';
import * as z from 'zod';
import { nodeClock as clock } from '../../src/adapters/node/clock.ts';
import { lineArguments } from '../../src/docs/adapters/ripgrep/ripgrep.ts';
import { createEnvironmentRootHost } from '../../src/docs/adapters/node/environment-root-host.ts';
import { retrievalOfHost } from '../../src/docs/retrieval.ts';
import { defineTool } from '../../src/mcp/define-tool.ts';
import { docsTools } from '../../src/docs/tools/docs-toolset.ts';
import { type Served, serveTools } from './serve-tools.ts';
import { type Corpus, words, writeCorpus } from './retrieval-corpus.ts';
import { median, type Row } from './row.ts';

const ROUNDS = 11;
const WARM_UP = 2;

/** A tool that does nothing, to measure the cost of a call. */
const echo = defineTool({
  name: 'echo',
  title: 'Echo',
  description: 'Returns its argument.',
  toolset: 'docs',
  effect: 'read',
  input: z.strictObject({ text: z.string() }),
  output: z.object({ text: z.string() }),
  run: async (_deps: object, args) => ({ text: args.text }),
  formatText: ({ text }) => text,
});

/** Compares the docs tools over MCP with plain ripgrep, with the same flags and corpus, interleaved in one process. */
export async function retrieval(): Promise<readonly Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'atlas-bench-docs-'));
  try {
    const corpus = writeCorpus(folder);
    const environment = { DOCS_ROOTS: 'corpus', ROOT_CORPUS_PATH: folder, ATLAS_RIPGREP: rgPath };
    const host = await createEnvironmentRootHost(environment, [], undefined);
    const deps = { retrieval: retrievalOfHost(host, clock), clock };
    await using served = await serveTools([...docsTools, echo], deps);
    const world: World = { served, folder, corpus };
    return [...(await searches(world)), ...(await readings(world)), await memory(world)];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface World {
  readonly served: Served;
  readonly folder: string;
  readonly corpus: Corpus;
}

async function searches(world: World): Promise<readonly Row[]> {
  const size = `${world.corpus.files} files, ${Math.round(world.corpus.bytes / 1e6)} MB`;
  const rows: Row[] = [];
  const queries = [
    ['literal, no hit', words.nowhere, false],
    ['literal, few hits', words.rare, false],
    ['regex, no hit', '[xz]ylo\\w+ist\\b', true],
    ['regex, few hits', 'quiz+ic[a-f]l', true],
    ['literal, frequent word, first page', words.frequent, false],
  ] as const;
  for (const [name, query, regex] of queries) {
    const isFrequent = query === words.frequent;
    const [ours, plain] = await interleaved(
      () => call(world, 'search', { query, regex }),
      () => plainScan(world, query, regex),
    );
    const bar = isFrequent ? 0.35 : Math.max(1.3, (plain + 40) / plain);
    rows.push({
      name: `search over MCP, ${name}, against plain ripgrep`,
      unit: 'ratio',
      value: ours / plain,
      runs: ROUNDS,
      limit: bar,
      detail: `${ours.toFixed(1)} ms, ripgrep's full scan ${plain.toFixed(1)} ms; ${size}`,
    });
  }
  for (const [name, query, most] of [
    ['few hits', words.rare, 3],
    ['no hit', words.nowhere, 3],
  ] as const) {
    const [smart, plain] = await interleaved(
      () => call(world, 'smart_search', { query }),
      () => call(world, 'search', { query }),
    );
    rows.push({
      name: `smart_search against search, ${name}`,
      unit: 'ratio',
      value: smart / plain,
      runs: ROUNDS,
      limit: most,
      detail: `${smart.toFixed(1)} ms, search ${plain.toFixed(1)} ms`,
    });
  }
  return rows;
}

async function readings(world: World): Promise<readonly Row[]> {
  const path = 'part-07/group-03/file-9.md';
  const rows: Row[] = [];
  for (const [tool, args] of [
    ['list_dir', { path: 'part-07' }],
    ['open_file', { path }],
    ['get_snippet', { path, start_line: 10, end_line: 30 }],
  ] as const) {
    const [ours, bare] = await interleaved(
      () => call(world, tool, args),
      () => call(world, 'echo', { text: 'hello' }),
      ROUNDS * 5,
    );
    rows.push({
      name: `${tool} over a bare tool's round trip`,
      unit: 'ms',
      value: ours - bare,
      runs: ROUNDS * 5,
      limit: 5,
      detail: `${ours.toFixed(2)} ms, bare ${bare.toFixed(2)} ms`,
    });
  }
  return rows;
}

/** Measures the memory of a search with a million hits, nearly all outside the requested folder. */
async function memory(world: World): Promise<Row> {
  const args = { query: words.everywhere, file_glob: 'no-such-part/**' };
  await call(world, 'search', { query: words.nowhere });
  globalThis.gc?.();
  const idle = process.memoryUsage().rss;
  let peak = idle;
  const look = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 5);
  await call(world, 'search', args);
  clearInterval(look);
  return {
    name: 'memory of a search that sees every hit, above idle',
    unit: 'kB',
    value: (Math.max(peak, process.memoryUsage().rss) - idle) / 1024,
    runs: 1,
    limit: 64 * 1024,
    detail: `${world.corpus.everywhere} hits`,
  };
}

async function call({ served }: World, name: string, args: Record<string, unknown>): Promise<void> {
  const result = await served.client.callTool({ name, arguments: args });
  if (result.isError === true) throw new Error(`${name} failed: ${JSON.stringify(result.structuredContent)}`);
}

async function plainScan({ folder }: World, query: string, isRegex: boolean): Promise<void> {
  const pattern = { texts: [query], isRegex, ignoreCase: false, wholeWord: false };
  const args = lineArguments({ pattern, folders: [folder], inOrder: false });
  const child = spawn(rgPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  child.stdout.resume();
  await once(child, 'close');
}

/** Medians of both in milliseconds. Calls are interleaved, so that other load on the machine affects both equally. */
async function interleaved(
  one: () => Promise<void>,
  other: () => Promise<void>,
  rounds = ROUNDS,
): Promise<readonly [number, number]> {
  const times: readonly [number[], number[]] = [[], []];
  for (let round = 0; round < WARM_UP + rounds; round += 1)
    for (const which of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const before = performance.now();
      await (which === 0 ? one() : other());
      if (round >= WARM_UP) times[which].push(performance.now() - before);
    }
  return [median(times[0]), median(times[1])];
}
