import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { announcedBridges } from '../../src/adapters/node/announced-bridges.ts';
import { SyncAnswer } from '../../src/protocol/sync-page.ts';
import { cli } from '../start/bridge-process.ts';
import { startHeadlessStudio } from '../start/headless-process.ts';
import { generateProject } from './project/generated-project.ts';
import type { Row } from './row.ts';

/** Together with their folders, 10,000 instances. */
const SCRIPTS = 9_792;
/** Scripts in the first folder. */
const IN_PART = 1_000;
/** 8,000 tokens of the lists with the fewest bytes per token (see `ANSWER_BYTES`). */
const MAX_PAGE_KB = 20;
/** A busy machine takes 15 minutes for the pull, which flushes every file. */
const CALL_MS = 3_600_000;
/** Time between the attempts of the agent that is refused. */
const RETRY_MS = 1_000;

/** The answer of a tool, and the bytes of its text and its structured content together. */
interface Called {
  readonly answer: SyncAnswer;
  readonly bytes: number;
}

/**
 * The walk of two agents over one `atlas-bridge mcp`, one over stdio and one over HTTP, through a place of which every script differs:
 * list, narrow down, read, push in bulk at the same time, pull in bulk. Throws when an answer is not the expected one.
 */
export async function twoAgents(): Promise<readonly Row[]> {
  await using stack = new AsyncDisposableStack();
  const project = stack.use(generateProject(SCRIPTS));
  const { overStdio, overHttp, studio } = await openBridge(stack, project.folder);
  project.change(SCRIPTS, 'edited text');

  const first = await overStdio('atlas_diff', {});
  expect(first.answer.page?.total, SCRIPTS, 'changes');
  const [part, all] = ['ReplicatedStorage/part0', 'ReplicatedStorage'];
  /** Every second page over the other transport. */
  const allPages = async (args: Record<string, unknown>): Promise<{ ids: Set<string>; bytes: number[] }> => {
    const ids = new Set<string>();
    const bytes: number[] = [];
    for (let next: Record<string, unknown> | undefined = args; next !== undefined;) {
      const page: Called = await (bytes.length % 2 === 0 ? overHttp : overStdio)('atlas_diff', next);
      for (const { id } of page.answer.changes) ids.add(id);
      bytes.push(page.bytes);
      const cursor = page.answer.page?.cursor;
      next = cursor === undefined ? undefined : { cursor, limit: args['limit'] };
    }
    return { ids, bytes };
  };
  const ofPartByDefault = await allPages({ under: part });
  expect(ofPartByDefault.ids.size, IN_PART, 'different changes below a folder');
  expect((await allPages({ limit: 1_000 })).ids.size, SCRIPTS, 'different changes on all pages');

  const digestOf = async (call: typeof overHttp, under: string): Promise<{ digest: string; matching: number }> => {
    const { digest = '', matching = 0 } = (await call('atlas_diff', { under, summary: true })).answer.page ?? {};
    return { digest, matching };
  };
  const [ofPart, ofAll] = [await digestOf(overStdio, part), await digestOf(overHttp, all)];
  expect(ofPart.matching, IN_PART, 'changes below a folder');

  const push = (call: typeof overHttp, under: string, digest: string): Promise<Called> =>
    call('atlas_sync', { mode: 'fastfail', overrides: [{ under, direction: 'push', digest }], limit: 1 });
  /** One of two agents at a time; the other one is refused, and tries again. */
  let refused = 0;
  const pushInTurn = async (call: typeof overHttp, under: string, digest: string): Promise<SyncAnswer> => {
    for (;;) {
      const { answer } = await push(call, under, digest);
      if (answer.status !== 'sync_in_progress') return answer;
      refused += 1;
      await new Promise(resolve => setTimeout(resolve, RETRY_MS));
    }
  };
  // The other changes are undecided, so nothing is changed.
  const partly = await push(overStdio, part, ofPart.digest);
  expect(partly.answer.status, 'fastfail_unresolved', 'the push of a part');
  const began = performance.now();
  const [both, second] = await Promise.all([
    pushInTurn(overStdio, all, ofAll.digest),
    pushInTurn(overHttp, all, ofAll.digest),
  ]);
  const pushMs = performance.now() - began;
  expect([both.status, second.status].toSorted().join(), 'empty,success', 'the push of all by two agents');
  expect((await overHttp('atlas_diff', {})).answer.status, 'empty', 'the comparison after the push');
  const [path = ''] = project.paths;
  const [, part0 = '', module0 = '', script = ''] = path.replace('.luau', '').split('/');
  expect(
    await studio.run(`return game.ReplicatedStorage.${part0}.${module0}.${script}.Source`),
    readFileSync(join(project.folder, path), 'utf8'),
    'a pushed script',
  );

  await studio.run(
    `for _, each in game.ReplicatedStorage:GetDescendants() do if each:IsA("ModuleScript") then each.Source ..= "-- Studio\\n" end end`,
  );
  const toPull = await digestOf(overStdio, all);
  expect(toPull.matching, SCRIPTS, 'changes after edits in Studio');
  const outdated = await push(overHttp, all, ofAll.digest);
  expect(outdated.answer.status, 'fastfail_unresolved', 'a push with the digest of an older list');
  const pullBegan = performance.now();
  const pulled = await overHttp('atlas_sync', {
    mode: 'fastfail',
    overrides: [{ under: all, direction: 'pull', digest: toPull.digest }],
    limit: 1,
  });
  const pullMs = performance.now() - pullBegan;
  expect(pulled.answer.status, 'success', 'the pull of all');
  for (const file of project.paths)
    expect(readFileSync(join(project.folder, file), 'utf8').endsWith('-- Studio\n'), true, `the text of ${file}`);
  expect((await overStdio('atlas_diff', {})).answer.status, 'empty', 'the comparison after the pull');
  const recorded = await overStdio('operation_wait', { operationId: pulled.answer.runId, limit: 5 });
  expect(recorded.answer.page?.total, SCRIPTS, 'changes of the recorded run');
  return [
    {
      name: 'first page of a dry run with 10,000 changes, text and structured content',
      unit: 'kB',
      value: first.bytes / 1000,
      runs: 1,
      limit: MAX_PAGE_KB,
      detail: `${first.answer.changes.length} changes; at most 8,000 tokens of 2.5 bytes; headless Studio`,
    },
    {
      name: 'largest page below one of its folders',
      unit: 'kB',
      value: Math.max(...ofPartByDefault.bytes) / 1000,
      runs: ofPartByDefault.bytes.length,
      limit: MAX_PAGE_KB,
      detail: `${IN_PART} changes on ${ofPartByDefault.bytes.length} pages, over HTTP and stdio in turns`,
    },
    {
      name: 'push of 10,000 scripts by two agents',
      unit: 'ms',
      value: pushMs,
      runs: 1,
      detail: `one pushed, the other one got ${refused} refusals and then an empty result; the pull took ${pullMs.toFixed(0)} ms`,
    },
  ];
}

/** `atlas-bridge mcp` with a client over stdio, another client of its bridge over HTTP, and headless Studio with a place of the project. */
async function openBridge(stack: AsyncDisposableStack, folder: string) {
  const dir = mkdtempSync(join(tmpdir(), 'atlas-bench-'));
  stack.defer(() => rmSync(dir, { recursive: true, force: true }));
  const place = join(dir, 'place.rbxl');
  execFileSync(process.execPath, [cli, 'build', folder, '-o', place]);
  const env = { XDG_STATE_HOME: join(dir, 'state') };
  const { PATH = '' } = process.env;
  const stdio = new StdioClientTransport({
    command: process.execPath,
    args: [cli, 'mcp'],
    cwd: folder,
    env: { PATH, ...env },
    stderr: 'ignore',
  });
  const overStdio = await connect(stack, 'over-stdio', stdio);
  const [bridge] = await announcedBridges(join(env.XDG_STATE_HOME, 'atlas-bridge'));
  if (bridge === undefined) throw new Error('atlas-bridge mcp announced no bridge');
  const http = new StreamableHTTPClientTransport(new URL(bridge.mcpUrl), {
    requestInit: { headers: { Authorization: `Bearer ${bridge.token}` } },
  });
  // The SDK's own transport does not fit its interface under `exactOptionalPropertyTypes`.
  const overHttp = await connect(stack, 'over-http', http as Transport);
  const studio = stack.use(await startHeadlessStudio(dir, Number(new URL(bridge.mcpUrl).port), place, env));
  await studio.connected();
  return { overStdio, overHttp, studio };
}

async function connect(stack: AsyncDisposableStack, name: string, transport: Transport) {
  const client = new Client({ name, version: '1' });
  await client.connect(transport);
  stack.defer(() => client.close());
  // The client validates answers only for the tools that it has listed.
  await client.listTools();
  const call = async (tool: string, args: Record<string, unknown>): Promise<Called> => {
    const result = (await client.callTool({ name: tool, arguments: args }, undefined, {
      timeout: CALL_MS,
      // A call without progress is answered before a long sync ends.
      onprogress: () => undefined,
    })) as CallToolResult;
    const { structuredContent, content } = result;
    if (structuredContent === undefined) throw new Error(`${tool} answered ${JSON.stringify(content)}`);
    const [text] = content;
    const bytes = Buffer.byteLength((text?.type === 'text' ? text.text : '') + JSON.stringify(structuredContent));
    return { answer: SyncAnswer.parse(structuredContent), bytes };
  };
  return call;
}

function expect(actual: unknown, expected: unknown, what: string): void {
  if (actual !== expected) throw new Error(`${what}: ${String(actual)} instead of ${String(expected)}`);
}
