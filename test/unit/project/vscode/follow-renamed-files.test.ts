import assert from 'node:assert/strict';
import { posix } from 'node:path';
import { test } from 'node:test';
import { Emitter } from '../../../../src/base/emitter.ts';
import { installFakeVsCode } from '../../../harness/fake-vscode.ts';
import { memoryLog } from '../../../harness/memory-log.ts';
import { openProject, smallProject } from '../../../harness/project-world.ts';
import { settle } from '../../../harness/settle.ts';

class TabInputText {
  readonly uri: object;
  constructor(path: string) {
    this.uri = { scheme: 'file', fsPath: `/game/${path}` };
  }
}
interface Tab {
  readonly input: TabInputText;
  readonly isDirty: boolean;
  readonly isActive: boolean;
  readonly isPreview: boolean;
  readonly group: { readonly viewColumn: number };
}
let tabs: readonly Tab[] = [];
/** The commands to VS Code, in order. */
const done: string[] = [];
const onDidChangeTabs = new Emitter<void>();
const pathOf = ({ uri }: TabInputText): string => posix.relative('/game', (uri as { fsPath: string }).fsPath);
installFakeVsCode({
  TabInputText,
  Uri: { joinPath: (_root: object, path: string) => path },
  commands: {
    executeCommand: async (_command: string, path: string, { background }: { background: boolean }) =>
      void done.push(`open ${path}${background ? ' in the background' : ''}`),
  },
  window: {
    tabGroups: {
      get all() {
        return [{ tabs }];
      },
      onDidChangeTabs: (listener: () => void) => {
        const subscription = onDidChangeTabs.event(listener);
        return { dispose: () => subscription[Symbol.dispose]() };
      },
      close: async ({ input }: Tab) => void done.push(`close ${pathOf(input)}`),
    },
  },
});
const { followRenamedFiles } = await import('../../../../src/project/vscode/follow-renamed-files.ts');

const tabOf = (path: string, parts: Partial<Tab> = {}): Tab => ({
  input: new TabInputText(path),
  isDirty: false,
  isActive: true,
  isPreview: false,
  group: { viewColumn: 1 },
  ...parts,
});

/** A project whose files have these tabs. */
async function opened(files: Readonly<Record<string, string>>, shown: readonly Tab[]) {
  const world = await openProject(smallProject(files));
  done.length = 0;
  tabs = shown;
  const bridge = {
    location: { root: { scheme: 'file', fsPath: '/game' } },
    session: () => world.session,
    onDidChangeProject: new Emitter<void>().event,
  };
  const lifecycle = { bridges: () => [bridge], onDidChangeBridges: new Emitter<void>().event };
  const following = followRenamedFiles(lifecycle as unknown as Parameters<typeof followRenamedFiles>[0], memoryLog());
  /** Renames files as another program does. */
  const rename = async (names: Readonly<Record<string, string>>): Promise<void> => {
    for (const [from, to] of Object.entries(names)) {
      const text = world.files.text(from) ?? '';
      world.files.delete(from);
      world.files.set(to, text);
    }
    await world.refresh();
    await settle();
  };
  return { world, rename, following };
}

test('opens a renamed file in the place of its tab', async () => {
  const { world, rename, following } = await opened({ 'src/Old.luau': 'return 1\n' }, [tabOf('src/Old.luau')]);
  using _world = world;
  using _following = following;
  await rename({ 'src/Old.luau': 'src/New.luau' });
  assert.deepEqual(done, ['open src/New.luau', 'close src/Old.luau']);
});

test('follows a script that becomes a folder, and leaves the active tab alone', async () => {
  const { world, rename, following } = await opened({ 'src/Kit.luau': 'return 1\n' }, [
    tabOf('src/Kit.luau', { isActive: false }),
  ]);
  using _world = world;
  using _following = following;
  await rename({ 'src/Kit.luau': 'src/Kit/init.luau' });
  assert.deepEqual(done, ['open src/Kit/init.luau in the background', 'close src/Kit.luau']);
});

test('keeps the tab of a file that was edited, deleted or has unsaved edits', async () => {
  const files = { 'src/Edited.luau': 'return 1\n', 'src/Gone.luau': 'return 2\n', 'src/Dirty.luau': 'return 3\n' };
  const { world, rename, following } = await opened(files, [
    tabOf('src/Edited.luau'),
    tabOf('src/Gone.luau'),
    tabOf('src/Dirty.luau', { isDirty: true }),
  ]);
  using _world = world;
  using _following = following;
  world.files.set('src/Edited.luau', 'return 4\n');
  world.files.delete('src/Gone.luau');
  await rename({ 'src/Dirty.luau': 'src/Clean.luau' });
  assert.deepEqual(done, []);
});
