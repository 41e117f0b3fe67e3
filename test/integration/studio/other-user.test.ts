import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { test } from 'node:test';
import { allowUnpaired, startBridge } from '../../harness/start-bridge.ts';

const run = promisify(execFile);
/** The user id that Linux reserves for unprivileged programs. */
const OTHER_USER = 65_534;

async function whyNoOtherUser(): Promise<string | false> {
  if (process.platform !== 'linux') return 'only Linux reports the owner of a connection';
  if (process.getuid?.() !== 0) return 'only root can start a program of another user';
  return run('setpriv', [...asOther, 'true']).then(
    () => false,
    () => 'setpriv is not on this machine',
  );
}
const asOther = [`--reuid=${OTHER_USER}`, `--regid=${OTHER_USER}`, '--clear-groups'];

/** Runs in the other process, with what Node has built in. Prints the status of every route. */
const program = `
const { request } = require('node:http');
const { createHmac } = require('node:crypto');
const [url, ports, keyText] = process.argv.slice(1);
const status = (port, method, path, headers = {}) => new Promise(resolve => {
  const asked = request({ host: '127.0.0.1', port, method, path, headers: { host: '127.0.0.1:' + port, ...headers } }, answer => {
    answer.resume();
    resolve(answer.statusCode);
  });
  asked.on('upgrade', (_, socket) => { socket.destroy(); resolve(101); });
  asked.on('error', error => resolve(error.code));
  asked.end();
});
const ref = '0'.repeat(32);
const upgrade = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13', 'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==' };
(async () => {
  const found = {};
  for (const port of ports.split(',')) {
    for (const path of ['/api/rojo', '/api/read/' + ref, '/api/git-metadata', '/api/validate-tree', '/api/serialize/' + ref, '/api/ref-patch/' + ref, '/api/nothing'])
      found[port + ' GET ' + path] = await status(port, 'GET', path);
    for (const path of ['/api/write', '/api/open/' + ref, '/api/serialize', '/api/ref-patch', '/api/syncback', '/api/mcp/syncback'])
      found[port + ' POST ' + path] = await status(port, 'POST', path);
    for (const path of ['/api/mcp/stream', '/api/socket/0']) found[port + ' WS ' + path] = await status(port, 'GET', path, upgrade);
    found[port + ' session ' + keyText.length] = await status(port, 'GET', '/api/read/' + ref, { 'atlas-bridge-session': keyText });
  }
  console.log(JSON.stringify(found));
})();
`;

/** Sends a request and resets the connection at once, so that the kernel forgets who sent it. */
const blindProgram = `
const { connect } = require('node:net');
const [port, request] = process.argv.slice(1);
let left = 20;
const send = () => {
  const socket = connect(Number(port), '127.0.0.1', () => socket.write(request, () => socket.resetAndDestroy()));
  socket.on('close', () => (left -= 1) > 0 && send());
  socket.on('error', () => undefined);
};
send();
`;

test(
  'does nothing for another user of the computer who does not wait for an answer',
  { skip: await whyNoOtherUser() },
  async () => {
    const opened: string[] = [];
    await using bridge = await startBridge(
      {
        'default.project.json': JSON.stringify({ name: 'harbor', tree: { $className: 'Folder', $path: 'src' } }),
        'src/Main.server.luau': 'return 1',
      },
      { ...allowUnpaired(), openFile: async path => void opened.push(path) },
    );
    const session = bridge.session();
    const script = session && Array.from(session.descendants(session.rootId)).find(({ name }) => name === 'Main');
    const { port, host } = new URL(bridge.studioUrl);
    const path = `/api/open/${script?.id}`;
    const request = `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 0\r\n\r\n`;
    await run('setpriv', [...asOther, process.execPath, '-e', blindProgram, port, request], { cwd: '/' });
    // The same request of this user is answered, after all of the others.
    const { status } = await fetch(`${bridge.studioUrl}${path}`, { method: 'POST' });
    assert.equal(status, 200);
    assert.deepEqual(opened, ['src/Main.server.luau']);
  },
);

test(
  'refuses another user of the computer on every route, also with a session',
  { skip: await whyNoOtherUser() },
  async () => {
    await using bridge = await startBridge(
      { 'default.project.json': JSON.stringify({ name: 'harbor', tree: { $className: 'DataModel' } }) },
      allowUnpaired(),
    );
    const studio = await bridge.connectStudio();
    const ports = [bridge.studioUrl, bridge.rojoUrl() ?? ''].map(url => new URL(url).port).join(',');
    const args = [bridge.studioUrl, ports, await studio.token];
    const { stdout } = await run('setpriv', [...asOther, process.execPath, '-e', program, ...args], { cwd: '/' });
    const found = JSON.parse(stdout) as Record<string, unknown>;
    assert.equal(Object.keys(found).length, 32);
    for (const [route, status] of Object.entries(found)) assert.equal(status, 403, route);
    // The same requests of this user are answered.
    const { stdout: own } = await run(process.execPath, ['-e', program, ...args]);
    const answered = JSON.parse(own) as Record<string, unknown>;
    assert.equal(Object.values(answered).filter(status => status === 403).length, 2, own);
  },
);
