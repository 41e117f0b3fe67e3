import assert from 'node:assert/strict';
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { encodeFrame, readPayload, scanFrames } from '../../src/adapters/node/journal/frames.ts';
import type { SyncResult } from '../../src/protocol/sync-result.ts';
import { type ConnectedStudio, connectFakeStudio } from '../harness/connect-fake-studio.ts';
import { atlasExports } from './harness/atlas-exports.ts';
import { reviewPage } from './harness/review-page.ts';
import { type RunningVsCode, startVsCode } from './harness/start-vscode.ts';
import { until } from './harness/until.ts';

/** A process id that Linux, macOS and Windows never assign. */
const GONE_PID = 2 ** 31 - 2;
const names = ['A', 'B'];
let dir = '';
let vscode: RunningVsCode;
let studio: ConnectedStudio;

const file = (name: string): string => join(dir, 'src', `${name}.luau`);
const textOf = (name: string): string => readFileSync(file(name), 'utf8');

before(async () => {
  dir = mkdtempSync(join(tmpdir(), 'atlas-crash-'));
  mkdirSync(join(dir, 'src'));
  const tree = { $className: 'DataModel', ServerScriptService: { $path: 'src' } };
  writeFileSync(join(dir, 'default.project.json'), JSON.stringify({ name: 'Small', tree }));
  for (const name of names) writeFileSync(file(name), 'return "disk"\n');
  vscode = await startVsCode({ folder: dir, settings: { 'atlas.port': 0, 'atlas.rojoPort': null } });
  const { studioUrl = '' } = await until('the bridge running', 30_000, async () => {
    const now = await atlasExports(vscode);
    return now.state === 'running' ? now : undefined;
  });
  const script = { className: 'ModuleScript', source: 'return "studio"\n' };
  studio = await connectFakeStudio(
    studioUrl,
    {
      ServerScriptService: { className: 'ServerScriptService' },
      'ServerScriptService/A': script,
      'ServerScriptService/B': script,
    },
    { placeName: 'Baseplate', studioId: 'one' },
    await vscode.studioKey(),
  );
});
after(async () => {
  await studio[Symbol.asyncDispose]();
  await vscode[Symbol.asyncDispose]();
  rmSync(dir, { recursive: true, force: true });
});

/** The only segment of the journal. */
function segment(): string {
  const storage = join(vscode.logs, '..', 'User/workspaceStorage');
  const own = 'atlas-bridge.atlas-bridge';
  const [workspace = ''] = readdirSync(storage).filter(name => readdirSync(join(storage, name)).includes(own));
  const journal = join(storage, workspace, own, 'journal');
  const [name = ''] = readdirSync(journal).filter(one => one.endsWith('.journal'));
  return join(journal, name);
}

/** Rewrites the journal as if the process of the run had ended before the run did. */
async function forgetEnding(): Promise<void> {
  const path = segment();
  const parts: Uint8Array[] = [];
  const handle = await open(path);
  try {
    for await (const frame of scanFrames(handle, 0, (await handle.stat()).size)) {
      assert.ok(frame.kind !== 'damage');
      if (frame.kind === 'ending') continue;
      let payload = (await readPayload(handle, frame)) ?? new Uint8Array();
      if (frame.kind === 'record') {
        const head = JSON.parse(Buffer.from(payload).toString()) as object;
        payload = Buffer.from(JSON.stringify({ ...head, owner: { pid: GONE_PID } }));
      }
      parts.push(...encodeFrame(frame.kind, frame.entry, frame.label, payload));
    }
  } finally {
    await handle.close();
  }
  writeFileSync(path, Buffer.concat(parts));
}

/** Pulls both files, then restores the state as if the process had ended between the two writes. */
async function cutOff(): Promise<void> {
  // The same file, because another one with this text would have been written by a person since.
  const before = join(dir, 'B.before');
  linkSync(file('B'), before);
  const result = vscode.driver.call('execute', { command: 'atlas.reviewChanges', args: [] }) as Promise<SyncResult>;
  const review = reviewPage(vscode.page);
  await review.shown();
  for (const name of names) await review.choose(`ServerScriptService/${name}`, 'pull');
  await review.apply();
  assert.equal((await result).status, 'success');
  renameSync(before, file('B'));
  await forgetEnding();
}

test('[P1] completes an interrupted run at the next start and reports its outcome', async () => {
  await cutOff();
  await vscode.page.reload();
  const notice = vscode.page.locator('.notification-list-item', { hasText: 'was interrupted' });
  await notice.waitFor();
  const words = await notice.innerText();
  assert.match(words, /requested by you, was interrupted\. So far 2 written to disk[,.]/);
  assert.deepEqual(names.map(textOf), ['return "studio"\n', 'return "studio"\n']);
  // The notification offers to restore both sides.
  await notice.getByRole('button', { name: 'Restore…' }).click();
  const rows = vscode.page.locator('.quick-input-list .monaco-list-row');
  await rows.filter({ hasText: 'was interrupted' }).waitFor();
});
