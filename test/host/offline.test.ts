import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startGroup } from '../../scripts/set-up/process-group.ts';
import type { DoctorFinding } from '../../src/setup/vscode/doctor.ts';
import type { SyncResult } from '../../src/protocol/sync-result.ts';
import { reviewPage } from './harness/review-page.ts';
import { startVsCode } from './harness/start-vscode.ts';

/** Runs this file again in a network namespace that has only the loopback interface. */
const isInside = process.env['ATLAS_NO_NETWORK'] === '1';
const withoutNetwork = ['unshare', '-rn', 'sh', '-c', 'ip link set lo up && exec "$0" "$@"'] as const;
const reason = (): string | false => {
  const [command, ...args] = withoutNetwork;
  const tried = spawnSync(command, [...args, 'true'], { encoding: 'utf8' });
  return tried.status === 0 ? false : `this machine does not support network namespaces: ${tried.stderr}`;
};

if (isInside)
  test('installs the .vsix and syncs a first change without any network', async () => {
    const outside = connect(443, '192.0.2.1');
    const [failure] = (await once(outside, 'error')) as [NodeJS.ErrnoException];
    assert.equal(failure.code, 'ENETUNREACH', 'there is a network here');

    await using stack = new AsyncDisposableStack();
    const dir = mkdtempSync(join(tmpdir(), 'atlas-offline-'));
    stack.defer(() => rmSync(dir, { recursive: true, force: true }));
    mkdirSync(join(dir, 'src'));
    const tree = { $className: 'DataModel', ServerScriptService: { $path: 'src' } };
    writeFileSync(join(dir, 'default.project.json'), JSON.stringify({ name: 'Small', tree }));
    writeFileSync(join(dir, 'src/Boot.server.luau'), 'print(1)\n');
    const vscode = stack.use(
      await startVsCode({ folder: dir, settings: { 'atlas.port': 0, 'atlas.timeoutMultiplier': 4 } }),
    );
    const execute = (command: string, ...args: readonly unknown[]): Promise<unknown> =>
      vscode.driver.call('execute', { command, args });

    const place = join(dir, 'place.rbxlx');
    assert.equal(((await execute('atlas.build', { output: place })) as { outcome: string }).outcome, 'done');
    await execute('atlas.openPlaceHeadless', place);
    writeFileSync(join(dir, 'src/Boot.server.luau'), 'print(2)\n');
    const looked = (await execute('atlas.syncDryRun')) as SyncResult;
    assert.equal(looked.changes.length, 1, looked.summary);
    await execute('workbench.action.closeAllEditors');
    // No common base is recorded, so the user must decide.
    const review = reviewPage(vscode.page);
    const syncing = execute('atlas.sync') as Promise<SyncResult>;
    await review.shown();
    await review.choose('ServerScriptService/Boot', 'push');
    await review.apply();
    const synced = await syncing;
    assert.equal(synced.status, 'success', synced.summary);
    await execute('atlas.savePlaceHeadless', place);
    assert.match(readFileSync(place, 'utf8'), /print\(2\)/);
    const findings = (await execute('atlas.doctor', { quiet: true })) as readonly DoctorFinding[];
    assert.equal(findings.find(({ id }) => id === 'bridge')?.state, 'ok', JSON.stringify(findings));
  });
else
  test('with the network off', { skip: reason() }, async () => {
    // The child process packages and installs the .vsix itself.
    const { NODE_TEST_CONTEXT: _, ATLAS_EXTENSIONS: _installed, ...env } = process.env;
    const [command, ...args] = withoutNetwork;
    const inside = [process.execPath, fileURLToPath(import.meta.url)];
    await using run = startGroup(command, [...args, ...inside], { env: { ...env, ATLAS_NO_NETWORK: '1' } });
    const [code] = (await once(run.child, 'close')) as [number | null];
    assert.equal(code, 0, run.output());
    assert.match(run.output(), /pass 1/);
  });
