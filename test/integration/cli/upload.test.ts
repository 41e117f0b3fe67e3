import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { nodeInflate } from '../../../src/adapters/node/inflate.ts';
import { readModel } from '../../../src/roblox/formats/model/model-file.ts';
import { typeCommand } from '../../harness/command-line.ts';
import { reflection } from '../../harness/reflection.ts';

interface Received {
  readonly request: IncomingMessage;
  readonly body: Buffer;
}

/** A stand-in for Open Cloud, which accepts one key and one place. */
const received: Received[] = [];
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    received.push({ request, body: Buffer.concat(chunks) });
    const isAllowed = request.headers['x-api-key'] === 'right';
    if (request.url?.includes('/places/500') === true) return void request.socket.destroy();
    if (request.url?.includes('/places/100') === true) return;
    if (request.url?.includes('/places/504') === true) return void response.writeHead(504).end('timeout');
    const isMoved = request.url?.includes('/places/301') === true;
    response.writeHead(isMoved ? 302 : isAllowed ? 200 : 401, isMoved ? { location: '/elsewhere' } : {});
    response.end(
      isAllowed
        ? '{"versionNumber": 7}'
        : `{"message": "invalid \u001B[2J key ${String(request.headers['x-api-key'])}"}`,
    );
  });
});
let folder = '';
let port = '';
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'atlas-upload-'));
  const tree = '{"$className": "DataModel", "ReplicatedStorage": {"Data": {"$className": "Folder"}}}';
  writeFileSync(join(folder, 'default.project.json'), `{"name": "Game", "tree": ${tree}}`);
  writeFileSync(join(folder, 'named.project.json'), `{"name": "Game", "gameId": 13058, "tree": ${tree}}`);
  writeFileSync(join(folder, 'lib.project.json'), '{"name": "Lib", "tree": {"$className": "Folder"}}');
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  port = String((server.address() as AddressInfo).port);
});
after(() => {
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

const upload = async (line: string, env: Readonly<Record<string, string>> = {}) => {
  received.length = 0;
  return typeCommand(['upload', ...line.split(' ')], {
    cwd: folder,
    env: { ATLAS_BRIDGE_OPEN_CLOUD_PORT: port, ...env },
  });
};
const place = '--asset-id 1818 --universe-id 13058';

test('upload sends nothing unless a version type is given', async () => {
  const { code, out } = await upload(`${place} --api-key right`);
  assert.equal(code, 0);
  assert.match(out, /^Dry run: \d+ bytes for place 1818 of universe 13058/);
  assert.equal(received.length, 0);
});

test('upload takes the universe of a place from its project, and requires one', async () => {
  const named = await upload('named.project.json --asset-id 1818');
  assert.match(named.out, /^Dry run: \d+ bytes for place 1818 of universe 13058/);
  const nameless = await upload('--asset-id 1818');
  assert.equal(nameless.code, 1);
  assert.match(
    nameless.err,
    /^error: the upload failed: a place requires --universe-id <id>, or gameId in the project/,
  );
});

test('upload sends the place with the key in a header', async () => {
  const { code, out } = await upload(`${place} --version-type published --json`, { ATLAS_BRIDGE_API_KEY: 'right' });
  const answer = JSON.parse(out) as Record<string, unknown>;
  assert.deepEqual(
    [code, answer['versionNumber'], answer['versionType'], answer['dryRun']],
    [0, 7, 'published', false],
  );
  const [sent] = received;
  assert.ok(sent);
  assert.equal(sent.request.method, 'POST');
  assert.equal(sent.request.url, '/universes/v1/13058/places/1818/versions?versionType=Published');
  assert.equal(sent.request.headers['content-type'], 'application/octet-stream');
  const model = readModel(sent.body, reflection, nodeInflate);
  assert.ok(model.ok);
  assert.deepEqual(
    model.value.roots.map(({ name }) => name),
    ['ReplicatedStorage'],
  );
});

test('upload updates a model with the Assets API', async () => {
  const { code } = await upload('lib.project.json --asset-id 99 --version-type saved --api-key right');
  assert.equal(code, 0);
  const [sent] = received;
  assert.ok(sent);
  assert.deepEqual([sent.request.method, sent.request.url], ['PATCH', '/assets/v1/assets/99']);
  const type = sent.request.headers['content-type'] ?? '';
  const form = await new Response(Uint8Array.from(sent.body), { headers: { 'content-type': type } }).formData();
  assert.equal(form.get('request'), '{"assetId":"99"}');
  const file = form.get('fileContent');
  assert.ok(file instanceof File && file.type === 'model/x-rbxm' && file.size > 0);
});

test('upload shows no part of an API key that cannot be sent, and trims the one of a file', async () => {
  for (const key of ['secret\nkey', 'secret\u2019key', 'secret\u0000key', 'secret key']) {
    const { code, out, err } = await upload(`${place} --version-type saved`, { ATLAS_BRIDGE_API_KEY: key });
    assert.notEqual(code, 0);
    assert.match(err, /the API key has characters that no key has/);
    assert.doesNotMatch(out + err, /secret/);
  }
  assert.equal(received.length, 0);
  assert.equal((await upload(`${place} --version-type saved`, { ATLAS_BRIDGE_API_KEY: 'right\n' })).code, 0);
});

test('upload reports a refusal without the key, and follows no redirection', async () => {
  const wrong = await upload(`${place} --version-type saved --api-key secret-key`);
  assert.equal(wrong.code, 1);
  assert.match(wrong.err, /^error: the upload failed: Open Cloud answered 401/);
  assert.doesNotMatch(wrong.err, /secret-key/);
  const moved = await upload('--asset-id 301 --universe-id 1 --version-type saved --api-key right');
  assert.equal(moved.code, 1);
  assert.equal(received.length, 1, 'the key is not sent elsewhere');
  const lost = await upload('--asset-id 500 --universe-id 1 --version-type saved --api-key right');
  assert.equal(lost.code, 1);
  assert.match(lost.err, /^error: the upload was sent, but Open Cloud did not confirm it: /);
  const closed = createServer();
  await new Promise<void>(resolve => closed.listen(0, '127.0.0.1', resolve));
  const closedPort = String((closed.address() as AddressInfo).port);
  await new Promise(resolve => closed.close(resolve));
  const unsent = await upload(`${place} --version-type saved --api-key right`, {
    ATLAS_BRIDGE_OPEN_CLOUD_PORT: closedPort,
  });
  assert.match(unsent.err, /^error: nothing was uploaded, because Open Cloud cannot be reached: connect ECONNREFUSED/);
  received.length = 0;
  const keyless = await upload(`${place} --version-type saved`);
  assert.match(keyless.err, /there is no API key; pass --api-key or set ATLAS_BRIDGE_API_KEY/);
  assert.equal(received.length, 0);
});

test('upload reports an unknown outcome when the answer is cancelled or comes from a gateway', async () => {
  received.length = 0;
  const cancelled = await typeCommand(
    ['upload', '--asset-id', '100', '--universe-id', '1', '--version-type', 'saved', '--api-key', 'right'],
    { cwd: folder, env: { ATLAS_BRIDGE_OPEN_CLOUD_PORT: port }, until: () => received.length === 1 },
  );
  assert.equal(cancelled.code, 1);
  assert.match(cancelled.err, /the upload was sent, but Open Cloud did not confirm it: the command was cancelled/);
  const late = await upload('--asset-id 504 --universe-id 1 --version-type saved --api-key right');
  assert.match(late.err, /the upload was sent, but Open Cloud did not confirm it: Open Cloud answered 504: timeout/);
});

test('upload explains each invalid argument', async () => {
  for (const [line, error] of [
    ['--universe-id 1', /upload requires --asset-id/],
    ['--asset-id 1/../2', /invalid asset id '1\/\.\.\/2'/],
    ['--asset-id 1 --universe-id x', /invalid universe id 'x'/],
    ['--asset-id 1 --version-type live', /unknown version type 'live'/],
  ] as const) {
    const { code, err } = await upload(line);
    assert.equal(code, 2);
    assert.match(err, error);
  }
});
