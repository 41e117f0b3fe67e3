import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memoryLog } from '../../../harness/memory-log.ts';
import { settle } from '../../../harness/settle.ts';
import { installFakeVsCode } from '../../../harness/fake-vscode.ts';

const commands = new Map<string, (how?: object) => Promise<unknown>>();
const shown: string[] = [];
const fake = {
  l10n: {
    t: (text: string, ...values: unknown[]) =>
      text.replaceAll(/\{(\d)\}/g, (_, index: string) => String(values[Number(index)])),
  },
  commands: {
    registerCommand(id: string, run: (how?: object) => Promise<unknown>) {
      commands.set(id, run);
      return { dispose: () => undefined };
    },
  },
  window: { showErrorMessage: async (text: string) => void shown.push(text) },
  TreeItemCollapsibleState: {},
};
installFakeVsCode(fake);
const { registerDoctor } = await import('../../../../src/setup/vscode/doctor.ts');
const { AppError } = await import('../../../../src/base/errors.ts');

test('shows and logs the error of a fix', async () => {
  const log = memoryLog();
  using _ = registerDoctor({
    lifecycle: { begin: async () => ({ kind: 'idle', why: 'noFolder' }), bridges: () => [] },
    unserved: { all: () => [] },
    delivery: { getPresence: async () => ({ kind: 'absent' }) },
    agents: { list: async () => [] },
    version: '1.0.0',
    forwarded: { place: { kind: 'here' }, address: () => undefined },
    preferredPort: () => 0,
    rojoPort: () => undefined,
    sharedProjects: async () => [],
    git: async () => 'missing',
    hasRipgrep: async () => true,
    tools: async () => ({ files: [], lacksPackages: false }),
    findings: async () => [],
    showFindings: async () => {
      throw new AppError('FS_WRITE_FAILED', { file: '/a', reason: 'the disk is full' });
    },
    log,
  } as unknown as Parameters<typeof registerDoctor>[0]);
  assert.deepEqual(await commands.get('atlas.doctor')?.(), []);
  await settle();
  assert.match(shown.join(), /the disk is full/);
  assert.match(log.lines.join('\n'), /failed to fix a finding/);
});
