import assert from 'node:assert/strict';
import { test } from 'node:test';
import { installFakeVsCode } from '../../../harness/fake-vscode.ts';
import { memoryLog } from '../../../harness/memory-log.ts';
import { settle } from '../../../harness/settle.ts';

const shown: string[] = [];
const fake = {
  l10n: {
    t: (text: string, ...values: unknown[]) =>
      text.replaceAll(/\{(\d)\}/g, (_, index: string) => String(values[Number(index)])),
  },
  ProgressLocation: {},
  TreeItemCollapsibleState: {},
  workspace: { isTrusted: true, saveAll: async () => true },
  window: {
    showErrorMessage: async (text: string, ...buttons: readonly string[]) => {
      shown.push(text);
      return buttons.find(button => button === 'Forget API Key');
    },
    withProgress: (_options: object, task: (progress: object, token: object) => Promise<unknown>) =>
      task({}, { onCancellationRequested: () => ({ dispose: () => undefined }) }),
  },
};
installFakeVsCode(fake);
const { publishPlace } = await import('../../../../src/project/vscode/publish-place.ts');
const { AppError } = await import('../../../../src/base/errors.ts');

test('shows and logs that the API key could not be forgotten', async () => {
  const log = memoryLog();
  const failure = new AppError('FS_WRITE_FAILED', { file: '/a', reason: 'the disk is full' });
  const deps = {
    folder: async () => ({ fsPath: '/game' }),
    lifecycle: { state: () => ({ kind: 'idle' }) },
    upload: async () => ({ ok: false, error: failure }),
    secrets: {
      delete: async () => {
        throw new Error('the keyring is locked');
      },
    },
    log,
  } as unknown as Parameters<typeof publishPlace>[0];
  const answer = await publishPlace(deps, { project: 'a.project.json', placeId: '1', universeId: '2' });
  assert.deepEqual(answer, { outcome: 'failed' });
  await settle();
  assert.match(log.lines.join('\n'), /^error failed to forget the API key: the keyring is locked$/m);
  assert.equal(shown.length, 2);
  assert.match(shown[1] ?? '', /the keyring is locked/);
});
