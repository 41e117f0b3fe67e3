import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { installFakeVsCode } from '../../harness/fake-vscode.ts';
import { ManualClock } from '../../harness/manual-clock.ts';
import { memoryLog } from '../../harness/memory-log.ts';
import { settle } from '../../harness/settle.ts';

/** A modal dialog: its question, the text below it, and the buttons in their order. The first button has the focus. */
type Dialog = readonly [question: string, detail: string, ...buttons: readonly string[]];

const disposable = { dispose: () => undefined };
const on = () => disposable;
const dialogs: Dialog[] = [];
const commands = new Map<string, (argument?: unknown) => Promise<unknown>>();
/** The button that is pressed in the next dialog; `undefined`: Cancel. */
let press: string | undefined;
const ask = async (text: string, ...rest: readonly unknown[]): Promise<string | undefined> => {
  const [options, ...buttons] = rest as [
    { readonly modal?: boolean; readonly detail?: string } | undefined,
    ...string[],
  ];
  if (options?.modal !== true) return undefined;
  dialogs.push([text, options.detail ?? '', ...buttons]);
  return press;
};
installFakeVsCode({
  l10n: {
    t: (text: string, ...values: unknown[]) =>
      text.replaceAll(/\{(\d)\}/g, (_, index: string) => String(values[Number(index)])),
  },
  env: { language: 'en' },
  ProgressLocation: {},
  StatusBarAlignment: {},
  TreeItemCollapsibleState: {},
  Uri: class {},
  commands: {
    executeCommand: async () => undefined,
    registerCommand(id: string, run: (argument?: unknown) => Promise<unknown>) {
      commands.set(id, run);
      return disposable;
    },
  },
  workspace: { isTrusted: true, textDocuments: [], saveAll: async () => true, registerTextDocumentContentProvider: on },
  window: {
    showErrorMessage: ask,
    showInformationMessage: ask,
    showWarningMessage: ask,
    showQuickPick: async (items: readonly unknown[]) => items[0],
    createOutputChannel: () => ({ appendLine: () => undefined, show: () => undefined, ...disposable }),
    createStatusBarItem: () => ({ show: () => undefined, hide: () => undefined, ...disposable }),
    // Each progress is cancelled in the next turn.
    withProgress: (_options: object, task: (progress: object, token: object) => Promise<unknown>) =>
      task({}, { onCancellationRequested: (cancel: () => void) => (setImmediate(cancel), disposable) }),
  },
});
const { registerSetUpCommands } = await import('../../../src/setup/vscode/set-up-commands.ts');
const { registerPluginCommands } = await import('../../../src/setup/vscode/plugin-commands.ts');
const { connectAgent } = await import('../../../src/setup/vscode/connect-agent.ts');
const { createHeadlessCommands } = await import('../../../src/headless-studio/vscode/headless-commands.ts');
const { registerHeadlessCommands } = await import('../../../src/headless-studio/vscode/register-headless-commands.ts');
const { publishPlace } = await import('../../../src/project/vscode/publish-place.ts');
const { reviewSyncback } = await import('../../../src/project/vscode/syncback-review.ts');
const { pickAndExplain } = await import('../../../src/sync/vscode/runs/run-pickers.ts');
const { createStudioPrompts } = await import('../../../src/vscode/studio-prompts.ts');

afterEach(() => {
  dialogs.length = 0;
  press = undefined;
});

test('asks before everything is removed, and says what is removed and kept', async () => {
  using _ = registerSetUpCommands({
    changed: () => undefined,
    log: memoryLog(),
  } as unknown as Parameters<typeof registerSetUpCommands>[0]);
  await commands.get('atlas.removeEverything')?.();
  assert.deepEqual(dialogs, [
    [
      'Remove everything that Atlas Bridge has set up on this computer?',
      'This removes the Studio plugin, the agent config entries, the launcher, the token and the API key. Your project and sync history are kept.',
      'Remove',
    ],
  ]);
});

test('asks before the pairing key changes, and says which plugins need it', async () => {
  using _ = registerPluginCommands({ log: memoryLog() } as unknown as Parameters<typeof registerPluginCommands>[0]);
  assert.deepEqual(await commands.get('atlas.changeStudioKey')?.(), { outcome: 'refused' });
  assert.deepEqual(dialogs, [
    [
      'Change the pairing key of your Studio plugins?',
      'Every Studio disconnects. The plugin on this computer gets the new key, and plugins on other computers must be paired again.',
      'Change Key',
    ],
  ]);
});

/** The commands of headless Studio with an open place, whose chunks never end. */
async function openedPlace() {
  const clock = new ManualClock();
  const studio = {
    instances: 1,
    onLog: () => ({ [Symbol.dispose]: () => undefined }),
    onStatus: () => ({ [Symbol.dispose]: () => undefined }),
    status: () => 'connected',
    connect: () => undefined,
    run: () => new Promise(() => undefined),
    format: async () => new Uint8Array(),
    terminated: new Promise(() => undefined),
    [Symbol.asyncDispose]: async () => undefined,
  };
  const bridge = { studioUrl: 'http://127.0.0.1:1' };
  const saved: string[] = [];
  const created = createHeadlessCommands({
    lifecycle: {
      begin: async () => ({ kind: 'running', bridge }),
      state: () => ({ kind: 'running', bridge }),
      bridges: () => [],
      onDidChange: () => ({ [Symbol.dispose]: () => undefined }),
    },
    start: async () => studio,
    savePlace: async (file: string) => {
      saved.push(file);
      return false;
    },
    clock,
    log: memoryLog(),
  } as unknown as Parameters<typeof createHeadlessCommands>[0]);
  const registered = registerHeadlessCommands(
    async () => created,
    async () => false,
  );
  await commands.get('atlas.openPlaceHeadless')?.('/games/obby.rbxl');
  return { clock, saved, [Symbol.dispose]: () => registered[Symbol.dispose]() };
}

test('asks before headless Studio closes, and says which button loses unsaved changes', async () => {
  using world = await openedPlace();
  press = 'Save and Close';
  await commands.get('atlas.closePlaceHeadless')?.();
  assert.deepEqual(dialogs, [
    [
      'Close obby.rbxl in headless Studio?',
      'The place is only in memory. Close Without Saving discards its unsaved changes.',
      'Save and Close',
      'Close Without Saving',
    ],
  ]);
  assert.deepEqual(world.saved, ['/games/obby.rbxl']);
});

test('asks before running code is stopped, and says that this closes the place', async () => {
  using world = await openedPlace();
  press = 'Close Without Saving';
  const running = commands.get('atlas.runLuauHeadless')?.('while true do end');
  await settle();
  world.clock.advance(1_000);
  await running;
  assert.deepEqual(dialogs, [
    [
      'Close obby.rbxl in headless Studio?',
      'Running code can only be stopped by closing headless Studio. Unsaved changes will be lost.',
      'Close Without Saving',
    ],
  ]);
});

const obby = {
  location: { root: { fsPath: '/game' } },
  session: () => ({ info: { name: 'Obby', projectFile: 'a.project.json', placeId: 1, gameId: 2 } }),
};

/** Asks to publish a place, with changed files or without. */
async function askToPublish(changed: readonly string[]): Promise<Dialog | undefined> {
  const deps = {
    folder: async () => ({ fsPath: '/game' }),
    lifecycle: { state: () => ({ kind: 'running', bridge: obby }), bridges: () => [obby] },
    upload: async () => ({ ok: true, bytes: 12_345 }),
    git: () => ({ status: async () => ({ changed: new Set(changed) }) }),
    pending: { state: () => ({ kind: 'compared', changes: [] }), isConnected: () => true },
    log: memoryLog(),
  } as unknown as Parameters<typeof publishPlace>[0];
  await publishPlace(deps, { project: '/game/a.project.json' });
  return dialogs.pop();
}

test('asks before a place is published, with the harmless button first when files differ', async () => {
  const size = 'The place is 13 kB. Save Version uploads it without changing what players get.';
  assert.deepEqual(await askToPublish([]), [
    'Publish Obby to the players of place 1?',
    `The files and Studio match the last commit.\n${size}`,
    'Publish',
    'Save Version',
  ]);
  assert.deepEqual(await askToPublish(['src/A.luau']), [
    'Publish Obby to the players of place 1?',
    `1 file differs from the last commit: src/A.luau\n${size}`,
    'Save Version',
    'Publish Anyway',
  ]);
});

/** Asks to carry out a syncback with these files. */
async function askToSyncBack(writing: readonly string[], removing: readonly string[], refused: number) {
  const left = Array.from({ length: refused }, () => ({ path: 'Workspace/A', reason: 'a union' }));
  const counts = { writing: writing.length, removing: removing.length };
  const plan = { writing, removing, counts, refused: left, notes: [] };
  const review = { plan, input: 'obby.rbxl' } as unknown as Parameters<typeof reviewSyncback>[0];
  await reviewSyncback(review);
  return dialogs.pop();
}

test('asks before a syncback writes or deletes files, and says what it cannot write', async () => {
  const detail = 'From obby.rbxl. The previous files are recorded in History.';
  assert.deepEqual(await askToSyncBack(['a'], [], 0), ['Write 1 file?', detail, 'Write File', 'Show Changes']);
  assert.deepEqual(await askToSyncBack([], ['a', 'b'], 1), [
    'Delete 2 files?',
    `${detail} 1 instance cannot be written.`,
    'Delete Files',
    'Show Changes',
  ]);
  assert.deepEqual(await askToSyncBack(['a'], ['b'], 2), [
    'Write 1 file and delete 1 file?',
    `${detail} 2 instances cannot be written.`,
    'Write and Delete',
    'Show Changes',
  ]);
});

test('asks before the entry of an agent is written or removed', async () => {
  const plan = { title: 'Cursor', file: '/game/.cursor/mcp.json', before: '', after: '' };
  const ask = async (state: 'connected' | 'absent'): Promise<Dialog | undefined> => {
    const agents = {
      list: async () => [{ client: { id: 'cursor' }, state }],
      planConnect: async () => plan,
      planDisconnect: async () => plan,
    };
    const deps = { agents, log: memoryLog() } as unknown as Parameters<typeof connectAgent>[0];
    await connectAgent(deps, {} as Parameters<typeof connectAgent>[1], { client: 'cursor' });
    return dialogs.pop();
  };
  assert.deepEqual(await ask('absent'), [
    'Connect Cursor to Atlas Bridge?',
    'The entry atlas-bridge is added to /game/.cursor/mcp.json. Nothing else in the file changes.',
    'Write Entry',
    'Show Changes',
  ]);
  assert.deepEqual(await ask('connected'), [
    'Remove Atlas Bridge from Cursor?',
    'The entry atlas-bridge is removed from /game/.cursor/mcp.json. Nothing else in the file changes.',
    'Remove Entry',
    'Show Changes',
  ]);
});

test('explains a suggestion under the path of its change', async () => {
  const change = { id: 'a', path: 'Workspace/Lamp', className: 'Part', direction: 'push' };
  const run = { explain: () => 'Only disk has changed since, so push is suggested.' };
  await pickAndExplain(
    run as unknown as Parameters<typeof pickAndExplain>[0],
    { changes: [change] } as unknown as Parameters<typeof pickAndExplain>[1],
  );
  assert.deepEqual(dialogs, [['Workspace/Lamp', 'Only disk has changed since, so push is suggested.']]);
});

test('asks before a Studio without pairing connects, and blocks it by default', async () => {
  const prompts = createStudioPrompts({
    get: (_key: string, fallback: unknown) => fallback,
  } as unknown as Parameters<typeof createStudioPrompts>[0]);
  const detail =
    'Any program on this computer could pretend to be this Studio. It can read the project and change files.';
  const allow = async (studio: object): Promise<Dialog | undefined> => {
    await prompts.allowUnpaired(studio as Parameters<typeof prompts.allowUnpaired>[0]);
    return dialogs.pop();
  };
  const question = 'A Studio without pairing wants to connect:';
  const buttons = ['Block', 'Allow Once'];
  assert.deepEqual(
    [
      await allow({ dialect: 'atlas', place: 'Obby' }),
      await allow({ dialect: 'rojo' }),
      await allow({ dialect: 'atlas' }),
    ],
    [
      [`${question} Obby.`, detail, ...buttons, 'Always for This Place'],
      [`${question} Rojo plugin, unknown place.`, detail, ...buttons, 'Always for This Project'],
      [`${question} Atlas plugin, unknown place.`, detail, ...buttons, 'Always for This Project'],
    ],
  );
});
