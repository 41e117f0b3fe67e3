import assert from 'node:assert/strict';
import { test } from 'node:test';
import { installFakeVsCode } from '../../../harness/fake-vscode.ts';

const fake = {
  l10n: { t: (text: string) => text },
  commands: { executeCommand: async () => undefined },
  window: {},
  TreeItemCollapsibleState: {},
};
installFakeVsCode(fake);
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
