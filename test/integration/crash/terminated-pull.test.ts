import assert from 'node:assert/strict';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createNodeFileSystem } from '../../../src/adapters/fs/node-file-system.ts';
import { createFileJournalStore } from '../../../src/adapters/node/journal/file-journal-store.ts';
import { ifFound } from '../../../src/base/errno.ts';
import { nodeHasher } from '../../../src/adapters/node/hasher.ts';
import { stateFolder } from '../../../src/adapters/node/state-folder.ts';
import { JournalEnding } from '../../../src/protocol/journal/journal-record.ts';
import { recoverInterrupted } from '../../../src/sync/recover/recover-interrupted.ts';
import { connectFakeStudio } from '../../harness/connect-fake-studio.ts';
import { ManualClock } from '../../harness/manual-clock.ts';
import { callTool, connectClient } from '../../harness/mcp-client.ts';
import { memoryLog } from '../../harness/memory-log.ts';
import { runCliIn } from '../../harness/run-cli.ts';
import { projectFile } from '../../harness/sync-world.ts';
import { tempFolder } from '../../harness/temp-folder.ts';
import { until } from '../../harness/until.ts';
import { diskText, studioText } from './texts.ts';

const names = Array.from({ length: 12 }, (_, n) => `m${String(n).padStart(2, '0')}`);

test('writes all files and records no error when SIGTERM ends the bridge during a pull', async () => {
  const files = Object.fromEntries(names.map(name => [`src/${name}.luau`, diskText(name)]));
  await using folder = await tempFolder({ 'default.project.json': projectFile, 'shared/.keep': '', ...files });
  const state = await mkdtemp(join(tmpdir(), 'atlas-state-'));
  await using cli = await runCliIn(state, 'serve', folder.path, '--port', '0', '--json');
  const { studioUrl, mcpUrl, tokenFile } = JSON.parse(await cli.firstLine()) as Record<string, string>;
  const journalFolder = join(stateFolder(folder.path, { XDG_STATE_HOME: state }), 'journal');
  const place = Object.fromEntries(
    names.map(name => [`ServerScriptService/${name}`, { className: 'ModuleScript', source: studioText(name) }]),
  );
  // A file that is being replaced has no name for some microseconds.
  const textOf = (name: string): Promise<string | undefined> =>
    ifFound(readFile(join(folder.path, `src/${name}.luau`), 'utf8'));
  await using _studio = await connectFakeStudio(studioUrl ?? '', place, {}, await cli.studioKey());
  await using agent = await connectClient(mcpUrl ?? '', (await readFile(tokenFile ?? '', 'utf8')).trim());
  const { answer } = await callTool(agent.client, 'atlas_sync', { mode: 'dryrun' });
  const changes = answer['changes'] as readonly { readonly id: string }[];
  assert.equal(changes.length, names.length, JSON.stringify(answer));
  const overrides = changes.map(({ id }) => ({ id, direction: 'pull' }));
  // Not awaited: the bridge may end before it answers, and the client waits a minute for an answer.
  callTool(agent.client, 'atlas_sync', { mode: 'fastfail', overrides }).catch(() => undefined);
  await until(async () => (await textOf('m00')) === studioText('m00'));
  cli.process.kill('SIGTERM');
  assert.equal(await cli.exit, 0);

  const journal = createFileJournalStore(journalFolder);
  const [entry] = await journal.list();
  assert.ok(entry);
  // A slow disk may need longer than the bridge waits; then the run is interrupted, not failed.
  if (entry.ending !== undefined) assert.equal(JournalEnding.parse(entry.ending).status, 'success');
  const disk = createNodeFileSystem(folder.path, nodeHasher);
  const clock = new ManualClock();
  const recovered = await recoverInterrupted({ files: disk, journal, hasher: nodeHasher, clock, log: memoryLog() });
  assert.equal(recovered.length, entry.ending === undefined ? 1 : 0);
  for (const name of names) assert.equal(await textOf(name), studioText(name));
});
