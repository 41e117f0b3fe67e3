import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocket } from 'ws';
import { nodeClock } from '../../src/adapters/node/clock.ts';
import { createSocketUpgrade } from '../../src/adapters/ws/socket-channel.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { StudioChannel } from '../../src/ports/studio-channel.ts';
import type { ChannelPair } from './memory-channel.ts';

/** A real loopback socket: our end as a channel, the other end as a bare `ws` client. */
export async function socketChannelPair(
  clock: Clock = nodeClock,
): Promise<ChannelPair & AsyncDisposable & { readonly client: WebSocket }> {
  const server = createServer();
  const upgrade = createSocketUpgrade(clock);
  const accepted = Promise.withResolvers<StudioChannel>();
  server.on('upgrade', (request, socket, head) => upgrade(request, socket, head, accepted.resolve));
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const client = new WebSocket(`ws://127.0.0.1:${port}/`);
  client.on('error', () => {});
  const received: string[] = [];
  client.on('message', (bytes: Buffer) => received.push(bytes.toString('utf8')));
  const [channel] = await Promise.all([accepted.promise, new Promise(resolve => client.once('open', resolve))]);
  return {
    channel,
    client,
    peer: { send: text => client.send(text), received, close: reason => client.close(1000, reason) },
    async [Symbol.asyncDispose]() {
      client.terminate();
      await new Promise(resolve => server.close(resolve));
    },
  };
}
