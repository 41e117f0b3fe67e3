/**
 * `npm start -- --check`: the tour without a window. An agent (the official MCP client) and headless Studio (the plugin's code with a real
 * place file) work on a copy of the example. Every step verifies files and instances, not only the reported result.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SyncChange, SyncResult } from '../../src/protocol/sync-result.ts';
import type { Agent } from './agent.ts';
import { pushEverything } from './push-everything.ts';
import {
  bothInStudio,
  bothOnDisk,
  diskOnly,
  editInStudio,
  editOnDisk,
  newFile,
  sourceInStudio,
  studioOnly,
} from './demo-edits.ts';
import { type ExampleWorld, startExampleWorld } from './example-world.ts';
import type { HeadlessStudio } from './headless-process.ts';
import { MAX_PAGE_CHANGES } from '../../src/protocol/sync-page.ts';

interface Step {
  readonly title: string;
  /** Resolves with a short description of the result; rejects if an expectation failed. */
  run(world: ExampleWorld): Promise<string>;
}

/** Runs and prints the steps. Resolves with whether all of them succeeded. */
export async function runCheck(print: (line: string) => void): Promise<boolean> {
  await using world = await startExampleWorld();

  let failed = 0;
  for (const step of steps) {
    // Steps after a failed one would fail because of it.
    const outcome = failed > 0 ? undefined : await outcomeOf(() => step.run(world));
    if (outcome?.ok !== true) failed += 1;
    print(
      `${outcome === undefined ? 'not run' : outcome.ok ? 'ok     ' : 'FAILED '}  ${step.title.padEnd(52)}  ${outcome?.text ?? ''}`.trimEnd(),
    );
  }
  print('');
  print(failed === 0 ? 'All steps succeeded.' : `${failed} of ${steps.length} steps failed or did not run.`);
  return failed === 0;
}

async function outcomeOf(run: () => Promise<string>): Promise<{ readonly ok: boolean; readonly text: string }> {
  try {
    return { ok: true, text: await run() };
  } catch (error) {
    return { ok: false, text: error instanceof Error ? error.message : String(error) };
  }
}

const steps: readonly Step[] = [
  {
    title: 'dry run: lists the differences and changes neither side',
    async run({ project, agent, studio }) {
      const before = await bothSides(project, studio);
      const result = await agent.sync({ mode: 'dryrun', limit: MAX_PAGE_CHANGES });
      expectStatus(result, 'dryrun');
      assert.ok(result.changes.length > 0, 'no difference between a new place and the example');
      assert.deepEqual(await bothSides(project, studio), before, 'a side changed');
      return `${result.changes.length} changes`;
    },
  },
  {
    title: 'first sync: the place gets the whole project',
    async run({ agent }) {
      const pushed = await pushEverything(agent);
      expectStatus(await agent.sync({ mode: 'dryrun' }), 'empty');
      return `${pushed} pushed, then no difference`;
    },
  },
  {
    title: 'fail-fast: both sides changed, so nothing is applied',
    async run({ project, agent, studio }) {
      editOnDisk(project);
      await studio.run(editInStudio);
      const before = await bothSides(project, studio);
      const result = await agent.sync({ mode: 'fastfail' });
      expectStatus(result, 'fastfail_unresolved');
      const undecided = result.changes.filter(change => change.direction === 'unresolved');
      assert.deepEqual(
        undecided.map(change => change.fsPath),
        [bothOnDisk.file],
        'undecided changes',
      );
      assert.deepEqual(await bothSides(project, studio), before, 'a side changed');
      return `${undecided.length} of ${result.changes.length} undecided`;
    },
  },
  {
    title: "get_script: Studio's text, by id and by fsPath",
    async run({ agent, studio }) {
      const { id, studioHash } = await conflict(agent);
      const byId = await agent.call('get_script', { id });
      const byPath = await agent.call('get_script', { fsPath: bothOnDisk.file });
      assert.equal(byId['source'], await studio.run(sourceInStudio(bothInStudio)), 'not the source in Studio');
      assert.equal(byPath['source'], byId['source'], 'id and fsPath give different texts');
      assert.equal(byId['studioHash'], studioHash, 'not the hash of the change');
      return `${String(byId['source']).length} characters, hash ${String(studioHash).slice(0, 8)}`;
    },
  },
  {
    title: 'override with a wrong hash: refused, nothing applied',
    async run({ project, agent, studio }) {
      const { id } = await conflict(agent);
      const before = await bothSides(project, studio);
      const overrides = [{ id, direction: 'push' as const, studioHash: '0'.repeat(40) }];
      const result = await agent.sync({ mode: 'fastfail', overrides });
      expectStatus(result, 'fastfail_unresolved');
      assert.deepEqual(
        result.overrides.map(({ verdict }) => verdict),
        ['hash_mismatch'],
      );
      assert.deepEqual(await bothSides(project, studio), before, 'a side changed');
      return 'hash_mismatch';
    },
  },
  {
    title: 'override with the right hash: applied on both sides',
    async run({ agent }) {
      const { id, studioHash } = await conflict(agent);
      assert.ok(studioHash !== undefined, 'the change has no hash');
      const result = await agent.sync({ mode: 'fastfail', overrides: [{ id, direction: 'push', studioHash }] });
      expectStatus(result, 'success');
      assert.deepEqual(
        result.overrides.map(({ verdict }) => verdict),
        ['accepted'],
      );
      return result.summary;
    },
  },
  {
    title: 'verification: each side has the decided version',
    async run({ project, agent, studio }) {
      const disk = (file: string): string => readFileSync(join(project, file), 'utf8');
      assert.ok(disk(studioOnly.file).includes(studioOnly.to), `${studioOnly.file} was not pulled`);
      for (const edit of [studioOnly, diskOnly, bothOnDisk])
        assert.equal(await studio.run(sourceInStudio(edit)), disk(edit.file), `${edit.file} differs`);
      const script = newFile.path.split('/');
      assert.equal(await studio.run(sourceInStudio({ script })), newFile.text, `${newFile.file} differs`);
      assert.ok(existsSync(join(project, newFile.file)), `${newFile.file} is missing`);
      expectStatus(await agent.sync({ mode: 'dryrun' }), 'empty');
      return 'texts equal, nothing differs';
    },
  },
];

function expectStatus(result: SyncResult, status: SyncResult['status']): void {
  assert.equal(
    result.status,
    status,
    `atlas_sync returned ${result.status}: ${result.error?.message ?? result.summary}`,
  );
}

async function conflict(agent: Agent): Promise<SyncChange> {
  const { changes } = await agent.sync({ mode: 'dryrun', limit: MAX_PAGE_CHANGES });
  const change = changes.find(({ fsPath }) => fsPath === bothOnDisk.file);
  assert.ok(change !== undefined, `${bothOnDisk.file} is not among the changes`);
  return change;
}

/** The state of both sides that the demo can change. */
async function bothSides(project: string, studio: HeadlessStudio): Promise<unknown> {
  const files = [studioOnly, diskOnly, bothOnDisk].map(({ file }) => readFileSync(join(project, file), 'utf8'));
  return { files, studio: await studio.run(everySource) };
}

const everySource = [
  'local found = {}',
  'for _, one in game:GetDescendants() do',
  '\tif one:IsA("LuaSourceContainer") then table.insert(found, one:GetFullName() .. "\\n" .. one.Source) end',
  'end',
  'table.sort(found)',
  'return table.concat(found, "\\n")',
].join('\n');
