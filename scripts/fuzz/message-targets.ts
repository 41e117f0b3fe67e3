import { PassThrough } from 'node:stream';
import { toolCatalog } from '../../src/app/tool-catalog.ts';
import { AppError } from '../../src/base/errors.ts';
import { resultLines } from '../../src/game-tests/cli/text-report.ts';
import { renderJunit } from '../../src/game-tests/reports/junit.ts';
import { renderTap } from '../../src/game-tests/reports/tap.ts';
import { readOutput, readReport } from '../../src/game-tests/workers/read-report.ts';
import { createToolRegistry } from '../../src/mcp/registry.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { Logger } from '../../src/ports/logger.ts';
import { GameTestEvent } from '../../src/protocol/game-tests.ts';
import { ReviewIntent } from '../../src/protocol/review.ts';
import { createReviewSession } from '../../src/review/review-session.ts';
import type { RunChange } from '../../src/sync/changes/run-change.ts';
import { studioSides } from '../../src/sync/review/studio-sides.ts';
import { serveStdio } from '../../src/transport/mcp/serve-stdio.ts';
import { bytesOrStructure, ofJson, ofText, seeds, type Target, text } from './inputs.ts';

const clock: Clock = { now: () => 0, date: () => '2026-01-31T00:00:00.000Z', after: () => () => undefined };
const log: Logger = { debug() {}, info() {}, warn() {}, error() {}, child: () => log };
/** Every tool fails when it asks for a part of the bridge, so that only the messages and the arguments are tested. */
const deps = new Proxy(
  {},
  {
    get() {
      throw new AppError('NO_PROJECT', { folder: 'a', lookedFor: [] });
    },
  },
);
const registry = createToolRegistry(toolCatalog as readonly never[], deps as never);
const messageOf = (method: string, params: unknown): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
const callOf = (name: string, given: unknown): string => messageOf('tools/call', { name, arguments: given });

/** Messages for one server, because a new one for each message would take most of the time. */
const MESSAGES_PER_CLIENT = 100;
let client = { count: MESSAGES_PER_CLIENT, input: new PassThrough() };

/** Serves one line, as a client over standard input sends it. */
async function serveLine(input: Uint8Array): Promise<void> {
  if (client.count === MESSAGES_PER_CLIENT) {
    client.input.end();
    client = { count: 0, input: new PassThrough() };
    const streams = { input: client.input, output: new PassThrough().resume() };
    void serveStdio({ clock, log, version: '1' }, registry.all, streams, true, new AbortController().signal);
  }
  client.count += 1;
  client.input.write(Buffer.concat([input, Buffer.from('\n')]));
  await new Promise(resolve => setImmediate(resolve));
}

/** Reads an event of a game as its host does, and shows it in every report. */
function showEvent(input: Uint8Array): void {
  let message: unknown;
  try {
    message = JSON.parse(text(input));
  } catch {
    return void readOutput(text(input));
  }
  const report = readReport(message);
  if (report?.kind !== 'test') return;
  const { names, line, status, ms, failure, unavailable, output } = report;
  const event = GameTestEvent.parse({
    event: 'test', file: 'a.spec.luau', names, line, status, ms, output,
    ...(failure && { failure: { ...failure, unavailable } }),
  }); // prettier-ignore
  if (event.event !== 'test') throw new Error('a test became another event');
  if (!(event.line >= 1 && Number.isInteger(event.line) && event.ms >= 0)) throw new Error('no position for an editor');
  resultLines(event);
  renderTap([event]);
  renderJunit([event]);
}

const changeOf = (id: string, parentId: string): RunChange => ({
  studio: { id, patchType: 'Add', path: `a/${id}`, name: id, className: 'Script', parentId, sourceDiffers: true },
  disk: undefined, fsPath: null, diskHash: undefined, diskState: undefined, sides: { hasBase: false, parts: [], hasDraft: false, isOlderInStudio: false },
  defaultSelection: null, defaultReason: 'no_git', override: undefined, choice: null, reason: undefined, outcome: undefined,
}); // prettier-ignore

/** Does what the page requests in a review of three changes. Refusals are errors of the catalog. */
async function request(input: Uint8Array): Promise<void> {
  let message: unknown;
  try {
    message = JSON.parse(text(input));
  } catch {
    return;
  }
  const intent = ReviewIntent.safeParse(message);
  if (!intent.success) return;
  const review = createReviewSession({
    runId: 'run',
    placeName: 'Place',
    requestedBy: 'a',
    changes: [changeOf('a', 'b'), changeOf('b', 'root'), changeOf('c', 'root')],
    sides: studioSides({ enumItem: () => undefined, path: () => undefined }, undefined),
    restoredIds: new Set<string>(),
    refresh: () => undefined,
    checkMerge: async () => undefined,
    texts: async () => ({ title: 'a', disk: undefined, studio: undefined, base: undefined }),
    track: async () => undefined,
  });
  try {
    const { data } = intent;
    if (data.kind === 'choose') review.choose(data.ids, data.choice);
    else if (data.kind === 'apply' || data.kind === 'reject') review[data.kind](data.revision);
    else if (data.kind === 'track') await review.track(data.id, data.property);
    else if (data.kind === 'openDiff') await review.texts(data.id);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
  review.snapshot();
}

const test = {
  kind: 'test', names: ['adds', 'one'], line: 3, index: 1, status: 'failed', seconds: 0.5,
  failure: { message: 'expected 1\nbut is 2', stack: [{ file: 'a.spec.luau', line: 4 }] }, unavailable: ['Players'], output: [{ level: 'info', message: 'a' }],
}; // prettier-ignore

/** Messages of agents, of games under test and of the review page. */
export const messageTargets: readonly Target[] = [
  {
    name: 'mcp',
    seeds: seeds(
      messageOf('initialize', {
        protocolVersion: '2025-06-18',
        capabilities: { elicitation: {} },
        clientInfo: { name: 'a', version: '1' },
      }),
      callOf('atlas_sync', { mode: 'standard', overrides: [{ path: 'a/b', direction: 'push' }], expect: { a: 'b' } }),
      callOf('get_script', { path: 'ServerScriptService/Main', from: 1, to: 20 }),
      callOf('search', { query: 'a', root: 'docs', globs: ['*.md'], cursor: 'b' }),
      messageOf('completion/complete', {
        ref: { type: 'ref/resource', uri: 'a://{b}' },
        argument: { name: 'b', value: 'c' },
      }),
      messageOf('resources/read', { uri: 'atlas://a' }),
      JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1, reason: 'a' } }),
      JSON.stringify({ tool: 'search', params: { query: 'a' }, id: 2 }),
    ),
    mutate: ofJson,
    run: serveLine,
  },
  {
    name: 'game-test-events',
    seeds: seeds(
      JSON.stringify(test),
      JSON.stringify({ kind: 'planned', tests: [{ names: ['a'], line: 1 }] }),
      JSON.stringify({ kind: 'started', names: ['a'], line: 1 }),
      'warning caf\\c3\\a9',
    ),
    mutate: bytesOrStructure((dice, seed, other) => (text(seed).startsWith('{') ? ofJson : ofText)(dice, seed, other)),
    run: showEvent,
  },
  {
    name: 'review-messages',
    seeds: seeds(
      JSON.stringify({ kind: 'choose', ids: ['a', 'c'], choice: 'push' }),
      JSON.stringify({ kind: 'apply', revision: 1 }),
      JSON.stringify({ kind: 'track', id: 'a', property: 'Size' }),
      JSON.stringify({ kind: 'openDiff', id: 'a' }),
      JSON.stringify({ kind: 'reviewAgain', view: 'a.pt' }),
    ),
    mutate: ofJson,
    run: request,
  },
];
