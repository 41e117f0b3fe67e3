import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import type { KeptPlace } from '../../../../src/ports/kept-places.ts';
import { installFakeVsCode } from '../../../harness/fake-vscode.ts';
import { ManualClock } from '../../../harness/manual-clock.ts';
import { memoryLog } from '../../../harness/memory-log.ts';
import { settle } from '../../../harness/settle.ts';

const disposable = { dispose: () => undefined };
const notices: string[] = [];
/** The button that is pressed in the next notice; `undefined`: it is closed. */
let press: string | undefined;
const notify = async (text: string, ...buttons: readonly string[]): Promise<string | undefined> => {
  notices.push(text);
  return buttons.find(button => button === press);
};
const commands = new Map<string, (argument?: unknown) => Promise<unknown>>();
installFakeVsCode({
  l10n: {
    t: (text: string, ...values: unknown[]) =>
      text.replaceAll(/\{(\d)\}/g, (_, index: string) => String(values[Number(index)])),
  },
  ProgressLocation: {},
  StatusBarAlignment: {},
  Uri: class {},
  commands: {
    executeCommand: async () => undefined,
    registerCommand(id: string, run: (argument?: unknown) => Promise<unknown>) {
      commands.set(id, run);
      return disposable;
    },
  },
  window: {
    showErrorMessage: notify,
    showInformationMessage: notify,
    showWarningMessage: notify,
    createOutputChannel: () => ({ appendLine: () => undefined, show: () => undefined, ...disposable }),
    createStatusBarItem: () => ({ show: () => undefined, hide: () => undefined, ...disposable }),
    withProgress: (_options: object, task: () => Promise<unknown>) => task(),
  },
});
const { createHeadlessCommands } = await import('../../../../src/headless-studio/vscode/headless-commands.ts');
const { registerHeadlessCommands } =
  await import('../../../../src/headless-studio/vscode/register-headless-commands.ts');

afterEach(() => {
  notices.length = 0;
  press = undefined;
});

/** A window. `stored`: what an earlier window has kept. */
function openWindow(stored: readonly KeptPlace[] = [], bridgeState: 'running' | 'idle' = 'running') {
  const opened: (readonly [place: string, content: string])[] = [];
  const written = new Map<string, string>();
  const removed: string[] = [];
  const log = memoryLog();
  let closed = 0;
  let format = async (place: string): Promise<Uint8Array> => new TextEncoder().encode(`content of ${place}`);
  const studio = {
    instances: 1,
    onLog: () => ({ [Symbol.dispose]: () => undefined }),
    onStatus: () => ({ [Symbol.dispose]: () => undefined }),
    status: () => 'connected',
    connect: () => undefined,
    format: (place: string) => format(place),
    terminated: new Promise(() => undefined),
    [Symbol.asyncDispose]: async () => void (closed += 1),
  };
  const bridge = { studioUrl: 'http://127.0.0.1:1' };
  const kept = {
    keep: async (place: string, bytes: Uint8Array) => void written.set(place, new TextDecoder().decode(bytes)),
    list: async () => stored,
    remove: async ({ file }: KeptPlace) => void removed.push(file),
  };
  const deps = {
    lifecycle: {
      begin: async () => ({ kind: bridgeState, bridge }),
      state: () => ({ kind: 'running', bridge }),
      bridges: () => [],
      onDidChange: () => ({ [Symbol.dispose]: () => undefined }),
    },
    start: async (place: string, content: string) => {
      if (content.includes('damaged')) throw new Error('damaged');
      opened.push([place, content]);
      return studio;
    },
    kept,
    clock: new ManualClock(),
    log,
  } as unknown as Parameters<typeof createHeadlessCommands>[0];
  let loads = 0;
  const registered = registerHeadlessCommands(
    async () => {
      loads += 1;
      return createHeadlessCommands(deps);
    },
    async () => stored.length > 0,
  );
  return {
    registered,
    opened,
    written,
    removed,
    log,
    loads: () => loads,
    closed: () => closed,
    failToFormat: () => (format = () => Promise.reject(new Error('too large'))),
    async offer(button: string | undefined) {
      press = button;
      await registered.offerKept();
      await settle();
    },
  };
}
const obby: KeptPlace = { place: '/games/obby.rbxl', file: '/storage/1.rbxl' };

test('keeps the content of the open place when its window closes, and closes it', async () => {
  const { registered, written, closed } = openWindow();
  await commands.get('atlas.openPlaceHeadless')?.('/games/obby.rbxl');
  const keeping = registered.keepOpenPlace();
  // VS Code disposes what is registered while `deactivate` runs.
  registered[Symbol.dispose]();
  await keeping;
  assert.deepEqual(Array.from(written), [['/games/obby.rbxl', 'content of /games/obby.rbxl']]);
  assert.equal(closed(), 1);
});

test('keeps nothing, and loads nothing, in a window without an open place', async () => {
  const { registered, written, loads } = openWindow();
  await registered.offerKept();
  await registered.keepOpenPlace();
  assert.deepEqual([written.size, loads()], [0, 0]);
  assert.deepEqual(notices, []);
});

test('closes the window when the place cannot be kept, and logs the reason', async () => {
  const { registered, log, closed, failToFormat } = openWindow();
  await commands.get('atlas.openPlaceHeadless')?.('/games/obby.rbxl');
  failToFormat();
  await registered.keepOpenPlace();
  assert.ok(log.lines.some(line => line.includes('the open place was not kept')));
  assert.equal(closed(), 1);
});

test('opens a kept place again with its content, and deletes the copy then', async () => {
  const window = openWindow([obby]);
  await window.offer('Open Again');
  assert.deepEqual(notices, ['obby.rbxl was open in headless Studio when this window closed. Its content was kept.']);
  assert.deepEqual(window.opened, [['/games/obby.rbxl', '/storage/1.rbxl']]);
  assert.deepEqual(window.removed, ['/storage/1.rbxl']);
});

test('deletes a kept place when a person discards it', async () => {
  const window = openWindow([obby]);
  await window.offer('Discard');
  assert.deepEqual([window.opened, window.removed], [[], ['/storage/1.rbxl']]);
});

test('offers a kept place again in the next window when the notice was closed', async () => {
  const window = openWindow([obby]);
  await window.offer(undefined);
  assert.deepEqual([window.opened, window.removed], [[], []]);
});

test('keeps the copy and says what to do when no bridge runs', async () => {
  const window = openWindow([obby], 'idle');
  await window.offer('Open Again');
  assert.deepEqual([window.opened, window.removed], [[], []]);
  assert.match(notices[1] ?? '', /^Open a folder with a project file and trust it first\./);
});

test('keeps the copy and says why when it cannot be opened', async () => {
  const window = openWindow([{ ...obby, file: '/storage/damaged.rbxl' }]);
  await window.offer('Open Again');
  assert.deepEqual(window.removed, []);
  assert.equal(notices.length, 2);
});
