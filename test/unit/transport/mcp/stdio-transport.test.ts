import assert from 'node:assert/strict';
import { PassThrough, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { StdioTransport } from '../../../../src/transport/mcp/stdio-transport.ts';

test('closes when the input fails', async () => {
  const input = new PassThrough();
  const transport = new StdioTransport(input, new PassThrough());
  const events: string[] = [];
  transport.onerror = error => events.push(error.message);
  transport.onclose = () => events.push('closed');
  await transport.start();
  input.destroy(new Error('The input cannot be read.'));
  await new Promise(resolve => input.once('close', resolve));
  assert.deepEqual(events, ['The input cannot be read.', 'closed']);
});

test('refuses a line that is nested 2,000 levels deep, and reads the next one', async () => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const transport = new StdioTransport(input, output);
  const received: unknown[] = [];
  transport.onmessage = message => received.push(message);
  await transport.start();
  const deep = '['.repeat(2_000) + ']'.repeat(2_000);
  input.end(`{"jsonrpc":"2.0","method":"a","params":{"deep":${deep}}}\n \r\n{"jsonrpc":"2.0","method":"b"}\n`);
  await new Promise(resolve => input.once('end', resolve));
  output.end();
  assert.match(await text(output), /not valid JSON/);
  assert.deepEqual(received, [{ jsonrpc: '2.0', method: 'b' }]);
});

test('answers the open requests and closes when the client has closed the output', async () => {
  const output = new Writable({
    write: (_chunk, _encoding, done) => done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })),
  });
  const input = new PassThrough();
  const transport = new StdioTransport(input, output);
  const events: string[] = [];
  transport.onclose = () => events.push('closed');
  const received = new Promise<void>(resolve => (transport.onmessage = () => resolve()));
  await transport.start();
  input.write('{"jsonrpc":"2.0","id":1,"method":"a"}\n');
  await received;
  await transport.send({ jsonrpc: '2.0', method: 'notifications/progress' });
  assert.deepEqual(events, [], 'the request is in progress');
  await transport.send({ jsonrpc: '2.0', id: 1, result: {} });
  assert.deepEqual(events, ['closed']);
});
