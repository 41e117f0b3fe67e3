import assert from 'node:assert/strict';
import { registerHooks } from 'node:module';
import { test } from 'node:test';

const fake = {
  l10n: { t: (text: string) => text },
  commands: { executeCommand: async () => undefined },
  window: {},
  TreeItemCollapsibleState: {},
};
(globalThis as { fakeVsCode?: object }).fakeVsCode = fake;
registerHooks({
  resolve: (name, context, next) =>
    name === 'vscode' ? { url: 'fake:vscode', format: 'module', shortCircuit: true } : next(name, context),
  load: (url, context, next) =>
    url === 'fake:vscode'
      ? {
          format: 'module',
          source: `export const { ${Object.keys(fake).join(', ')} } = globalThis.fakeVsCode;`,
          shortCircuit: true,
        }
      : next(url, context),
});
const { updateSetUpContexts } = await import('../../../../src/setup/vscode/set-up-contexts.ts');

test('stops waiting for the round trip of a Studio that is never measured', t => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let reads = 0;
  const link = {
    isOpen: () => true,
    handle: 'studio-1',
    hello: { placeName: 'Harbor', placeId: 1, pluginVersion: undefined },
    latencyMs: () => void (reads += 1),
  };
  const onDidChange = () => ({ [Symbol.dispose]: () => undefined });
  const bridge = {
    studios: { all: () => [link], onDidChange },
    agents: { connected: () => [], onDidChange },
    session: () => undefined,
    onDidChangeProject: onDidChange,
  };
  using _ = updateSetUpContexts({
    lifecycle: { state: () => ({ kind: 'running', bridge }), onDidChange },
    forwarded: { place: { kind: 'here' } },
    version: '1.0.0',
    schedule: (work: () => void) => work(),
  } as unknown as Parameters<typeof updateSetUpContexts>[0]);
  const wait = (): void => {
    for (let half = 0; half < 120; half += 1) t.mock.timers.tick(500);
  };
  wait();
  const known = reads;
  wait();
  assert.ok(known > 1, 'it waits at first');
  assert.equal(reads, known);
});
