import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memoryLog } from '../../../harness/memory-log.ts';
import { installFakeVsCode } from '../../../harness/fake-vscode.ts';

const commands = new Map<string, (how?: object) => Promise<unknown>>();
const warnings: string[] = [];
installFakeVsCode({
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
  window: {
    showErrorMessage: async () => undefined,
    showInformationMessage: async () => undefined,
    showWarningMessage: async (text: string) => void warnings.push(text),
  },
});
const { registerSetUpCommands } = await import('../../../../src/setup/vscode/set-up-commands.ts');
const { AppError } = await import('../../../../src/base/errors.ts');

test('removes everything else, and says what it kept, when a plugin file and an entry are foreign', async () => {
  const file = '/games/harbor/.cursor/mcp.json';
  const plugin = '/plugins/AtlasBridge.rbxmx';
  using _ = registerSetUpCommands({
    delivery: {
      remove: async () => {
        throw new AppError('PLUGIN_FILE_FOREIGN', { file: plugin });
      },
    },
    agents: {
      removeAll: async () => ({
        removed: [{ client: 'claude-code', file: '/home/.claude.json' }],
        kept: [{ client: 'cursor', file, reason: new AppError('AGENT_ENTRY_FOREIGN', { file }) }],
      }),
    },
    removeMachineState: async () => ['/bin/atlas-bridge'],
    changed: () => undefined,
    log: memoryLog(),
  } as unknown as Parameters<typeof registerSetUpCommands>[0]);
  const result = await commands.get('atlas.removeEverything')?.({ confirmed: true });
  const { kept, ...removed } = result as { readonly kept: readonly string[] };
  assert.deepEqual(removed, {
    plugin: [],
    agents: [{ client: 'claude-code', file: '/home/.claude.json' }],
    other: ['/bin/atlas-bridge'],
  });
  assert.equal(kept.length, 2);
  const [warning = ''] = warnings;
  for (const part of [plugin, file]) assert.ok(warning.includes(part), part);
  // The file of an agent has its other settings, and stays.
  assert.ok(warning.startsWith('Removed: the entry in /home/.claude.json, /bin/atlas-bridge. Not everything'), warning);
});
