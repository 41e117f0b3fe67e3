import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startBridge } from '../../harness/start-bridge.ts';

const project = JSON.stringify({ name: 'harbor', tree: { $className: 'DataModel' } });

test('[B2] names the searched files when there is no project file', async () => {
  await using bridge = await startBridge();
  for (const [name, args] of [
    ['atlas_sync', { mode: 'dryrun' }],
    ['get_script', { fsPath: 'src/a.luau' }],
  ] as const) {
    const { isError, answer, text } = await bridge.call(name, args);
    assert.equal(isError, true);
    assert.equal(answer['status'], 'error');
    const error = answer['error'] as { code: string; details: { lookedFor: string[] } };
    assert.equal(error.code, 'NO_PROJECT');
    assert.ok(error.details.lookedFor.includes('default.project.json'));
    assert.match(text, /default\.project\.json/);
  }
});

test('opens a project that appears later', async () => {
  await using bridge = await startBridge();
  assert.equal(bridge.session(), undefined);
  const opened = new Promise(resolve => bridge.onDidOpenSession(resolve));
  bridge.disk.set('default.project.json', project);
  await opened;
  const { answer } = await bridge.call('atlas_sync', { mode: 'dryrun' });
  assert.equal(answer['status'], 'not_connected');
});

test('[B3] reports a broken project file with line and column until it is fixed', async () => {
  await using bridge = await startBridge({ 'default.project.json': '{\n  "name": "harbor",\n  "tree": 5\n}' });
  const { answer } = await bridge.call('atlas_sync', { mode: 'dryrun' });
  const error = answer['error'] as { code: string; message: string };
  assert.equal(error.code, 'PROJECT_INVALID');
  assert.match(error.message, /^default\.project\.json:3:11: expected /);
  const opened = new Promise(resolve => bridge.onDidOpenSession(resolve));
  bridge.disk.set('default.project.json', project);
  await opened;
});

test('[B1] answers not_connected with the address to connect to without Studio', async () => {
  await using bridge = await startBridge({ 'default.project.json': project });
  const { isError, answer, text } = await bridge.call('atlas_sync');
  assert.deepEqual([isError, answer['status']], [true, 'not_connected']);
  assert.ok(text.includes(bridge.studioUrl));
  assert.match(text, /press Connect/);
});
