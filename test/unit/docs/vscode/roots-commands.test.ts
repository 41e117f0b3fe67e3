import assert from 'node:assert/strict';
import { test } from 'node:test';
import { installFakeVsCode } from '../../../harness/fake-vscode.ts';
import { memoryLog } from '../../../harness/memory-log.ts';
import { settle } from '../../../harness/settle.ts';

const commands = new Map<string, (argument?: string) => Promise<unknown>>();
const shown: string[] = [];
const executed: string[] = [];
/** The answer to lists with several choices; `undefined`: Escape was pressed. */
let picked: readonly object[] | undefined = [];
const fake = {
  l10n: {
    t: (text: string, ...values: unknown[]) =>
      text.replaceAll(/\{(\d)\}/g, (_, index: string) => String(values[Number(index)])),
  },
  ProgressLocation: {},
  TreeItemCollapsibleState: {},
  commands: {
    executeCommand: async (id: string) => void executed.push(id),
    registerCommand(id: string, run: (argument?: string) => Promise<unknown>) {
      commands.set(id, run);
      return { dispose: () => undefined };
    },
  },
  ThemeIcon: class {},
  window: {
    showQuickPick: async () => picked,
    showErrorMessage: async (text: string) => void shown.push(text),
    showInformationMessage: async (text: string, button: string) => {
      shown.push(text);
      return button;
    },
    showWarningMessage: async (_text: string, button: string) => button,
    withProgress: (_options: object, task: (progress: object, token: object) => Promise<unknown>) =>
      task({}, { onCancellationRequested: () => ({ dispose: () => undefined }) }),
  },
};
installFakeVsCode(fake);
const { registerRootsCommands } = await import('../../../../src/docs/vscode/roots-commands.ts');
const { AppError } = await import('../../../../src/base/errors.ts');

test('shows and logs why a root could not move to the rewritten history', async () => {
  const log = memoryLog();
  const definition = { id: 'docs', source: { kind: 'git' } };
  const diverged = new AppError('DIVERGED', { root: 'docs', before: 'a', remote: 'b' });
  const bridge = {
    retrieval: {
      listRoots: async () => ({ roots: [{ definition, checkout: { kind: 'present' } }], problems: [] }),
      configuration: async () => ({ policy: {} }),
    },
    gitRoots: {
      status: async () => ({ state: 'clean' }),
      async sync(_root: object, _policy: object, { mode }: { readonly mode: string }) {
        if (mode === 'reset') throw new Error('the cache is locked');
        return { status: 'failed', before: 'a', after: 'a', error: diverged, warnings: [] };
      },
    },
  };
  using _ = registerRootsCommands({
    lifecycle: { begin: async () => ({ kind: 'running', bridge }) },
    log,
  } as unknown as Parameters<typeof registerRootsCommands>[0]);
  await commands.get('atlas.syncRoot')?.('docs');
  await settle();
  assert.match(log.lines.join('\n'), /^error failed to move a root to the rewritten history: the cache is locked$/m);
  assert.match(shown.join('\n'), /the cache is locked/);
});

test('says that no root was chosen when the list is accepted with none', async () => {
  const definition = { id: 'docs', subdir: '', source: { kind: 'git', url: 'https://example.com/docs' } };
  const bridge = {
    retrieval: {
      listRoots: async () => ({ roots: [{ definition, checkout: { kind: 'present' } }], problems: [] }),
      configuration: async () => ({ policy: {} }),
    },
    gitRoots: { status: async () => ({ state: 'clean' }) },
  };
  using _ = registerRootsCommands({
    lifecycle: { begin: async () => ({ kind: 'running', bridge }) },
    log: memoryLog(),
  } as unknown as Parameters<typeof registerRootsCommands>[0]);
  shown.length = 0;
  await commands.get('atlas.syncRoot')?.();
  assert.deepEqual(shown, ['No root was chosen.']);
  picked = undefined;
  await commands.get('atlas.syncRoot')?.();
  assert.equal(shown.length, 1);
});

test('says which kind of root is missing, and offers to add one', async () => {
  const bridge = {
    retrieval: {
      listRoots: async () => ({ roots: [], problems: [] }),
      configuration: async () => ({ policy: {} }),
    },
  };
  using _ = registerRootsCommands({
    lifecycle: { begin: async () => ({ kind: 'running', bridge }) },
    log: memoryLog(),
  } as unknown as Parameters<typeof registerRootsCommands>[0]);
  shown.length = 0;
  await commands.get('atlas.syncRoot')?.();
  await commands.get('atlas.revealRoot')?.();
  await settle();
  assert.deepEqual(shown, ['No git root is configured.', 'No root has a folder on this computer.']);
  assert.deepEqual(executed, ['atlas.addRoot', 'atlas.addRoot']);
});
