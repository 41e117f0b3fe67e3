import { Emitter } from '../../../src/base/emitter.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '../../../src/base/errors.ts';
import type { ProjectDiagnostic, ProjectSession } from '../../../src/project/project-session.ts';
import { createProjectSlot } from '../../../src/project/project-slot.ts';
import { ManualClock } from '../../harness/manual-clock.ts';
import { MemoryFileSystem } from '../../harness/memory-file-system.ts';
import { memoryLog } from '../../harness/memory-log.ts';

const noProject = new AppError('NO_PROJECT', { folder: '/project', lookedFor: ['default.project.json'] });

function start(files: Record<string, string> = {}) {
  const disk = new MemoryFileSystem(files);
  const clock = new ManualClock();
  let opens = 0;
  let disposals = 0;
  const log = memoryLog();
  const changed = new Emitter<readonly ProjectDiagnostic[]>();
  const problem = (line: number): ProjectDiagnostic =>
    ({ file: 'a.luau', line, column: 1, severity: 'warning', message: 'expected one' }) as ProjectDiagnostic;
  const session = {
    diagnostics: () => [problem(1)],
    onDidChangeDiagnostics: changed.event,
    info: { name: 'harbor', projectFile: 'default.project.json' },
    [Symbol.dispose]: () => void (disposals += 1),
  } as unknown as ProjectSession;
  const slot = createProjectSlot({
    watcher: disk,
    clock,
    log,
    async open() {
      opens += 1;
      if ((await disk.stat('default.project.json' as never)) === undefined) throw noProject;
      return session;
    },
  });
  return { disk, clock, slot, session, log, changed, problem, opens: () => opens, disposals: () => disposals };
}

test('opens an existing project once', async () => {
  const { slot, session, opens } = start({ 'default.project.json': '{}' });
  await slot.tryOpen();
  await slot.tryOpen();
  assert.equal(slot.require(), session);
  assert.equal(opens(), 1);
});

test('[B2] require throws the reason when there is no project', async () => {
  const { slot } = start();
  await slot.tryOpen();
  assert.equal(slot.current(), undefined);
  assert.throws(() => slot.require(), noProject);
});

test('opens a project that appears later, after a burst of hints', async () => {
  const { slot, disk, clock, session, opens } = start();
  await slot.tryOpen();
  const opened = new Promise(resolve => slot.onDidOpen(resolve));
  disk.set('src/a.luau', 'return 1');
  clock.advance(1_000);
  assert.equal(opens(), 1, 'other files do not trigger an attempt');
  for (let write = 0; write < 5; write += 1) disk.set('default.project.json', '{}');
  clock.advance(150);
  assert.equal(await opened, session);
  assert.equal(opens(), 2);
});

test('tries again when a missing project is required, so that a lost hint does not matter', async () => {
  const { slot, disk } = start();
  await slot.tryOpen();
  disk.set('default.project.json', '{}');
  const opened = new Promise(resolve => slot.onDidOpen(resolve));
  assert.throws(() => slot.require());
  await opened;
  assert.doesNotThrow(() => slot.require());
});

test('exposes the reason for a missing project and its changes without another attempt', async () => {
  const { slot, disk, opens } = start();
  let changes = 0;
  slot.onDidChange(() => (changes += 1));
  await slot.tryOpen();
  assert.deepEqual([slot.problem(), changes], [noProject, 1]);
  await slot.tryOpen();
  assert.equal(changes, 1, 'the same reason does not fire a change');
  const before = opens();
  slot.problem();
  assert.equal(opens(), before);
  disk.set('default.project.json', '{}');
  await slot.tryOpen();
  assert.deepEqual([slot.problem(), changes], [undefined, 2]);
});

test('dispose closes the project, even one being opened, and clears the timer', async () => {
  const open = start({ 'default.project.json': '{}' });
  await open.slot.tryOpen();
  open.slot[Symbol.dispose]();
  assert.equal(open.disposals(), 1);

  const opening = start({ 'default.project.json': '{}' });
  const looked = opening.slot.tryOpen();
  opening.slot[Symbol.dispose]();
  await looked;
  assert.equal(opening.disposals(), 1);
  assert.equal(opening.slot.current(), undefined);

  const waiting = start();
  waiting.disk.set('default.project.json', '{}');
  waiting.slot[Symbol.dispose]();
  assert.equal(waiting.clock.pending, 0);
});

test('logs each problem of the project files once when it appears', async () => {
  const { slot, log, changed, problem } = start({ 'default.project.json': '{}' });
  await slot.tryOpen();
  changed.fire([problem(1), problem(2)]);
  changed.fire(Array.from({ length: 30 }, (_, index) => problem(index + 1)));
  await new Promise(resolve => setImmediate(resolve));
  const warnings = log.lines.filter(line => line.startsWith('warn'));
  assert.deepEqual(warnings.slice(0, 2), ['warn a.luau:1:1: expected one', 'warn a.luau:2:1: expected one']);
  assert.equal(warnings.length, 2 + 20 + 1);
});
