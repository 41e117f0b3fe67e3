import assert from 'node:assert/strict';
import { test } from 'node:test';
import { installFakeVsCode } from '../../../harness/fake-vscode.ts';
import { memoryLog } from '../../../harness/memory-log.ts';
import { settle } from '../../../harness/settle.ts';

/** Messages with their buttons, and inputs, in order. */
const shown: string[] = [];
/** The buttons that the user presses. */
let pressed: readonly string[] = [];
const press = async (buttons: readonly string[]) => buttons.find(button => pressed.includes(button));
const fake = {
  l10n: {
    t: (text: string, ...values: unknown[]) =>
      text.replaceAll(/\{(\d)\}/g, (_, index: string) => String(values[Number(index)])),
  },
  ProgressLocation: {},
  TreeItemCollapsibleState: {},
  workspace: {
    isTrusted: true,
    textDocuments: [] as object[],
    saveAll: async () => true,
    onWillSaveTextDocument: (notify: (event: object) => void) => {
      // VS Code announces each save.
      for (const document of fake.workspace.textDocuments) queueMicrotask(() => notify({ document }));
      return { dispose: () => undefined };
    },
    onDidSaveTextDocument: () => ({ dispose: () => undefined }),
  },
  window: {
    showErrorMessage: (text: string, ...buttons: readonly string[]) => {
      shown.push(`${text} [${buttons.join('] [')}]`);
      return press(buttons);
    },
    showWarningMessage: (text: string, options: { readonly detail?: string }, ...buttons: readonly string[]) => {
      shown.push(text, ...(options.detail?.split('\n') ?? []));
      return press(buttons);
    },
    showInformationMessage: async (text: string) => void shown.push(text),
    showInputBox: async ({ title }: { readonly title: string }) => {
      shown.push(title);
      return undefined;
    },
    withProgress: (_options: object, task: (progress: object, token: object) => Promise<unknown>) =>
      task({}, { onCancellationRequested: () => ({ dispose: () => undefined }) }),
  },
};
installFakeVsCode(fake);
const { publishPlace } = await import('../../../../src/project/vscode/publish-place.ts');
const { AppError } = await import('../../../../src/base/errors.ts');

type Deps = Parameters<typeof publishPlace>[0];

/** A served project whose files are in `/game`. */
const served = (projectFile: string, placeId: number, gameId: number) => ({
  location: { root: { fsPath: '/game' } },
  session: () => ({ info: { name: projectFile.split('.')[0], projectFile, placeId, gameId } }),
});
const lobby = served('lobby.project.json', 11, 1);
const match = served('match.project.json', 22, 2);

/** The lobby is active, and compared with its Studio without a difference. The key is stored. */
function world(parts: Partial<Record<keyof Deps, unknown>> = {}) {
  shown.length = 0;
  pressed = [];
  const uploads: { readonly args: readonly string[]; readonly key: string | undefined }[] = [];
  const log = memoryLog();
  const deps = {
    folder: async () => ({ fsPath: '/game' }),
    lifecycle: { state: () => ({ kind: 'running', bridge: lobby }), bridges: () => [lobby, match] },
    pending: { state: () => ({ kind: 'compared', changes: [] }), isConnected: () => true },
    git: () => ({ status: async () => ({ changed: [] }) }),
    hide: () => undefined,
    secrets: { get: async () => 'key' },
    showLog: () => undefined,
    upload: async (args: readonly string[], key: string | undefined) => {
      uploads.push({ args, key });
      return { ok: true, bytes: 1500, versionNumber: 7 };
    },
    log,
    ...parts,
  } as unknown as Deps;
  return { deps, uploads, log };
}

test('publishes the files of the chosen project to its own place while another project is active', async () => {
  const { deps, uploads } = world();
  pressed = ['Save Version'];
  const project = '/game/match.project.json';
  assert.deepEqual(await publishPlace(deps, { project }), { outcome: 'done', versionNumber: 7 });
  const args = [project, '--asset-id', '22', '--universe-id', '2'];
  assert.deepEqual(uploads, [
    { args, key: undefined },
    { args: [...args, '--version-type', 'saved'], key: 'key' },
  ]);
  assert.deepEqual(shown, [
    'Publish match to the players of place 22?',
    // The comparison is that of the lobby.
    'The current files have not been compared with Studio.',
    'The place is 2 kB. Save Version uploads it without changing what players get.',
    'Saved version 7 of place 22. Players still get the published version.',
  ]);
});

test('finds a file that cannot be saved before it asks for ids', async () => {
  const { deps, uploads } = world({ lifecycle: { state: () => ({ kind: 'stopped' }), bridges: () => [] } });
  const locked = { isUntitled: false, isDirty: true, uri: { path: '/game/src/Locked.luau' }, save: async () => false };
  fake.workspace.textDocuments = [locked];
  try {
    assert.equal(await publishPlace(deps, { project: '/game/new.project.json' }), undefined);
  } finally {
    fake.workspace.textDocuments = [];
  }
  assert.deepEqual(uploads, []);
  assert.deepEqual(shown, [
    'Nothing was started, because VS Code could not save Locked.luau. Save it, then try again.',
  ]);
});

test('says that nothing differs only of the project that is compared', async () => {
  const { deps } = world();
  assert.equal(await publishPlace(deps, { project: '/game/lobby.project.json' }), undefined);
  assert.deepEqual(shown.slice(0, 2), [
    'Publish lobby to the players of place 11?',
    'The files and Studio match the last commit.',
  ]);
});

test('asks again and says why when the files change while the question is open', async () => {
  const statuses = [[], ['src/A.luau'], ['src/A.luau'], ['src/A.luau']];
  const { deps, uploads } = world({ git: () => ({ status: async () => ({ changed: statuses.shift() ?? [] }) }) });
  pressed = ['Publish', 'Save Version'];
  const answer = await publishPlace(deps, { project: '/game/lobby.project.json' });
  assert.deepEqual(answer, { outcome: 'done', versionNumber: 7 });
  assert.deepEqual(shown.slice(3, 6), [
    'Publish lobby to the players of place 11?',
    'Files or Studio changed while this question was open.',
    '1 file differs from the last commit: src/A.luau',
  ]);
  // The second answer decides: the place is only saved.
  assert.deepEqual(
    uploads.map(({ args }) => args[6]),
    [undefined, undefined, 'saved'],
  );
});

test('asks for the ids of a project that is not served', async () => {
  const { deps, uploads } = world();
  assert.equal(await publishPlace(deps, { project: '/game/test.project.json' }), undefined);
  assert.deepEqual(shown, ['Publish Place: Id of the Place']);
  assert.deepEqual(uploads, []);
});

const failure = new AppError('UPLOAD_FAILED', { reason: 'Open Cloud answered 401: Invalid API Key' });

test('offers to forget the API key only if Open Cloud refused the place', async () => {
  const answers = async (dryRun: object | undefined, error: object) => {
    const upload = async (_args: readonly string[], key: string | undefined) =>
      key === undefined && dryRun === undefined ? { ok: true, bytes: 1 } : { ok: false, error };
    const { deps } = world({ upload });
    pressed = ['Publish'];
    const answer = await publishPlace(deps, { project: '/game/lobby.project.json' });
    return [answer?.outcome, ...(shown.at(-1) ?? '').split(/(?=\[)/).slice(1)];
  };
  const broken = { file: 'a.json', line: 1, column: 1, expected: 'a value' };
  assert.deepEqual(await answers({}, new AppError('PROJECT_INVALID', broken)), ['failed', '[Show Log]']);
  const reason = 'connect ECONNREFUSED';
  assert.deepEqual(await answers(undefined, new AppError('UPLOAD_UNREACHABLE', { reason })), ['failed', '[Show Log]']);
  assert.deepEqual(await answers(undefined, new AppError('UPLOAD_UNCONFIRMED', { reason })), ['unknown', '[Show Log]']);
  assert.deepEqual(await answers(undefined, failure), ['failed', '[Forget API Key] ', '[Show Log]']);
});

test('says that the API key was removed', async () => {
  let isForgotten = false;
  const { deps } = world({
    upload: async (_args: readonly string[], key: string | undefined) =>
      key === undefined ? { ok: true, bytes: 1 } : { ok: false, error: failure },
    secrets: { get: async () => 'key', delete: async () => void (isForgotten = true) },
  });
  pressed = ['Publish', 'Forget API Key'];
  await publishPlace(deps, { project: '/game/lobby.project.json' });
  await settle();
  assert.equal(isForgotten, true);
  assert.equal(shown.at(-1), 'The API key was removed. Publish Place asks for another one.');
});

test('shows and logs that the API key could not be forgotten', async () => {
  const { deps, log } = world({
    upload: async (_args: readonly string[], key: string | undefined) =>
      key === undefined ? { ok: true, bytes: 1 } : { ok: false, error: failure },
    secrets: {
      get: async () => 'key',
      delete: async () => {
        throw new Error('the keyring is locked');
      },
    },
  });
  pressed = ['Publish', 'Forget API Key'];
  const answer = await publishPlace(deps, { project: '/game/lobby.project.json' });
  assert.deepEqual(answer, { outcome: 'failed' });
  await settle();
  assert.match(log.lines.join('\n'), /^error failed to forget the API key: the keyring is locked$/m);
  assert.match(shown.at(-2) ?? '', /\[Forget API Key\] \[Show Log\]$/);
  assert.match(shown.at(-1) ?? '', /the keyring is locked/);
});
