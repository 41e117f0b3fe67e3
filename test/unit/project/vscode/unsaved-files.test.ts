import assert from 'node:assert/strict';
import { test } from 'node:test';
import { installFakeVsCode } from '../../../harness/fake-vscode.ts';
import { memoryLog } from '../../../harness/memory-log.ts';

type Command = (choice: object) => Promise<unknown>;
const commands = new Map<string, Command>();
/** Saves, runs of commands and messages, in order. */
const happened: string[] = [];

/** A document with an edit that VS Code can save or not. */
const edited = (path: string, canSave: boolean) => ({
  isUntitled: false,
  isDirty: true,
  uri: { path },
  async save() {
    happened.push(`save ${path}`);
    this.isDirty = !canSave;
    return canSave;
  },
});
const fake = {
  l10n: {
    t: (text: string, ...values: unknown[]) =>
      text.replaceAll(/\{(\d)\}/g, (_, index: string) => String(values[Number(index)])),
  },
  ProgressLocation: {},
  TreeItemCollapsibleState: {},
  Uri: class {},
  commands: {
    registerCommand: (id: string, handle: Command) => {
      commands.set(id, handle);
      return { dispose: () => undefined };
    },
  },
  workspace: {
    isTrusted: true,
    textDocuments: [] as ReturnType<typeof edited>[],
    saveAll: async () => true,
    onWillSaveTextDocument: (notify: (event: object) => void) => {
      for (const document of fake.workspace.textDocuments) queueMicrotask(() => notify({ document }));
      return { dispose: () => undefined };
    },
    onDidSaveTextDocument: () => ({ dispose: () => undefined }),
  },
  window: {
    showErrorMessage: async (text: string) => void happened.push(text),
    showWarningMessage: async (text: string) => void happened.push(text),
    showInformationMessage: async () => undefined,
    withProgress: (_options: object, task: (progress: object, token: object) => Promise<unknown>) =>
      task({}, { onCancellationRequested: () => ({ dispose: () => undefined }) }),
  },
};
installFakeVsCode(fake);
const { registerProjectCommands } = await import('../../../../src/project/vscode/project-commands.ts');
const { buildAndOpen } = await import('../../../../src/project/vscode/place-commands.ts');

const deps = {
  folder: async () => ({ fsPath: '/game' }),
  run: async (args: readonly string[]) => {
    happened.push(`run ${args[0]}`);
    return { ok: false, problems: [], error: { code: 'CANCELLED', message: '', hint: '', retry: 'no' } };
  },
  log: memoryLog(),
  clock: { now: () => 0, after: (_ms: number, call: () => void) => (call(), () => undefined) },
  showLog: () => undefined,
};
const none = async () => undefined;
registerProjectCommands(deps as unknown as Parameters<typeof registerProjectCommands>[0], {
  buildAndOpen: choice => buildAndOpen(deps as unknown as Parameters<typeof buildAndOpen>[0], choice),
  openInStudio: none,
  publish: none,
  forgetApiKey: async () => ({ outcome: 'done' }),
});

const choice = { project: '/game/default.project.json', output: '/game/out', file: '/game/out.rbxl' };
for (const [id, ran] of [
  ['atlas.build', 'run build'],
  ['atlas.writeSourcemap', 'run sourcemap'],
  ['atlas.buildAndOpen', 'run build'],
] as const) {
  test(`[${id}] saves edited files before it reads them from disk`, async () => {
    happened.length = 0;
    fake.workspace.textDocuments = [edited('/game/src/Main.luau', true)];
    await commands.get(id)?.(choice);
    assert.deepEqual(happened.slice(0, 2), ['save /game/src/Main.luau', ran]);
  });

  test(`[${id}] writes nothing when an edited file cannot be saved`, async () => {
    happened.length = 0;
    fake.workspace.textDocuments = [edited('/game/src/Locked.luau', false)];
    assert.equal(await commands.get(id)?.(choice), undefined);
    assert.ok(!happened.includes(ran), happened.join('\n'));
    assert.equal(
      happened.at(-1),
      'Nothing was started, because VS Code could not save Locked.luau. Save it, then try again.',
    );
  });
}
