import assert from 'node:assert/strict';
import { test } from 'node:test';
import { differing, main, mainFile, syncWorld } from '../../../harness/sync-world.ts';

const otherFile = 'other/Main.server.luau';
const otherText = 'print("of the other folder")\n';
const inStudio = 'print("Studio")\n';
const onDisk = 'print("disk")\n';

const projectOf = (tree: object): string =>
  JSON.stringify({ name: 'harbor', tree: { $className: 'DataModel', ...tree } });
/** The new text of the project file, and whether the project still reads the script of the run. */
const projects = {
  'names another folder': { text: projectOf({ ServerScriptService: { $path: 'other' } }), reads: false },
  'has no services': { text: projectOf({}), reads: false },
  'is not JSON': { text: '{', reads: true },
} as const;

for (const [change, { text, reads }] of Object.entries(projects))
  for (const [moment, isRead] of [
    ['read', false],
    ['read', true],
    ['apply', false],
    ['apply', true],
  ] as const) {
    const when = `the project file ${change} before the ${moment}${isRead ? ' and is read at once' : ''}`;
    const started = async (direction: 'push' | 'pull') => {
      const world = await syncWorld({ ...differing, files: { ...differing.files, [otherFile]: otherText } });
      const id = await world.idOf(main);
      world.studio.before = command => {
        if (command.type !== moment) return;
        world.files.set('default.project.json', text);
        if (isRead) world.session.refresh(new AbortController().signal).catch(() => undefined);
      };
      const result = await world.sync({ mode: 'fastfail', overrides: [{ id, direction }] });
      assert.equal(world.files.text(otherFile), otherText);
      return { world, result };
    };

    test(`pushes the compared text and changes no file when ${when}`, async () => {
      const { world, result } = await started('push');
      assert.deepEqual([result.status, world.studio.source(main)], ['success', onDisk]);
      assert.equal(world.files.text(mainFile), onDisk);
    });

    test(`reports a pull as ${reads ? 'done' : 'not done'} when ${when}`, async () => {
      const { world, result } = await started('pull');
      assert.equal(result.status === 'success', reads, result.summary);
      assert.equal(world.studio.source(main), inStudio);
      // A file that was replaced is in the record.
      const isReplaced = world.files.text(mainFile) !== onDisk;
      assert.equal(JSON.stringify(await world.journal.list()).includes(mainFile), isReplaced);
    });
  }
