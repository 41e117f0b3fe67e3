import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { endianness } from 'node:os';
import { test } from 'node:test';
import { findPeerOwner, isPeerOfUser } from '../../../../src/adapters/node/peer-owner.ts';

const HEAD = '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n';
const row = (local: string, remote: string, uid: number, inode: number): string =>
  `   1: ${local} ${remote} 01 00000000:00000000 00:00000000 00000000 ${String(uid).padStart(5)}        0 ${inode} 1 0 20 4 30 10 -1\n`;
/** The kernel prints addresses in the byte order of the machine. */
const skip = endianness() !== 'LE' && 'the rows of this test are little endian';
/** The server's side of a connection from port 0xC001 to port 0x8839. */
const ends = { localAddress: '127.0.0.1', localPort: 0x8839, remoteAddress: '127.0.0.1', remotePort: 0xc001 };

test("finds the user of the client's end, not of the server's end", { skip }, () => {
  const ours = row('0100007F:8839', '0100007F:C001', 1000, 5);
  const peer = row('0100007F:C001', '0100007F:8839', 1001, 6);
  assert.deepEqual(findPeerOwner([HEAD + ours + peer, HEAD], ends), { kind: 'user', uid: 1001 });
});

test('knows no owner of an open connection from another network namespace, or without the tables', { skip }, () => {
  const ours = row('0100007F:8839', '0100007F:C001', 1000, 5);
  assert.deepEqual(findPeerOwner([HEAD + ours, HEAD], ends), { kind: 'unknown' });
  assert.deepEqual(findPeerOwner(['', ''], ends), { kind: 'unknown' });
});

test('does not take a peer that reset its connection for one of another network namespace', { skip }, () => {
  assert.deepEqual(findPeerOwner([HEAD, HEAD], ends), { kind: 'closed' });
  const closing = row('0100007F:8839', '0100007F:C001', 1000, 5).replace(' 01 ', ' 08 ');
  assert.deepEqual(findPeerOwner([HEAD + closing, HEAD], ends), { kind: 'closed' });
});

test("finds a peer with an IPv6 socket when the server's end is a mapped address", { skip }, () => {
  const mapped = '0000000000000000FFFF00000100007F';
  const peer = row(`${mapped}:C001`, `${mapped}:8839`, 1001, 6);
  for (const address of ['127.0.0.1', '::ffff:127.0.0.1'])
    assert.deepEqual(findPeerOwner([HEAD, HEAD + peer], { ...ends, remoteAddress: address }), {
      kind: 'user',
      uid: 1001,
    });
});

test('does not take a closed socket for one of root', { skip }, () => {
  const closed = row('0100007F:C001', '0100007F:8839', 0, 0);
  assert.deepEqual(findPeerOwner([HEAD + closed], ends), { kind: 'closed' });
});

test('takes a socket without addresses for a closed one', () => {
  const closed = { localAddress: undefined, localPort: undefined, remoteAddress: undefined, remotePort: undefined };
  assert.deepEqual(findPeerOwner([HEAD + row(':0000', ':0000', 1, 1)], closed), { kind: 'closed' });
});

/** Both ends of a connection of this process. */
async function connected(use: (socket: Socket, client: Socket) => Promise<void>): Promise<void> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [socket] = (await once(server, 'connection')) as [Socket];
  try {
    await use(socket, client);
  } finally {
    client.destroy();
    socket.destroy();
    server.close();
  }
}

test('accepts a connection of this process', () =>
  connected(async socket => assert.equal(await isPeerOfUser(socket), true)));

test(
  'refuses a peer that resets its connection after its request, whose user is unknown then',
  { skip: process.platform !== 'linux' && 'only Linux reports the owner of a connection' },
  () =>
    connected(async (socket, client) => {
      socket.on('error', () => undefined);
      client.write('POST / HTTP/1.1', () => client.resetAndDestroy());
      await once(socket, 'data');
      assert.equal(await isPeerOfUser(socket), false);
    }),
);
