import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChannelPair } from '../harness/memory-channel.ts';
import { textOfFrame } from '../harness/text-of-frame.ts';
import { MAX_UNPROVED_BYTES } from '../../src/protocol/limits.ts';
import { until } from '../harness/until.ts';

/** The contract of every `StudioChannel`, tested through a peer at the other end. */
export function studioChannelContract(name: string, create: () => Promise<ChannelPair & AsyncDisposable>): void {
  const open = async () => {
    const pair = await create();
    const messages: string[] = [];
    const closings: string[] = [];
    pair.channel.onMessage(frame => messages.push(textOfFrame(frame)));
    pair.channel.onClosed(({ reason }) => closings.push(reason));
    return { ...pair, messages, closings, [Symbol.asyncDispose]: () => pair[Symbol.asyncDispose]() };
  };

  test(`${name}: delivers frames whole and in order in both directions`, async () => {
    await using pair = await open();
    pair.channel.liftLimit();
    const texts = ['', '{"type":"hello"}', 'ü€🙂', 'x'.repeat(300_000)];
    for (const text of texts) {
      pair.peer.send(text);
      pair.channel.send(text);
    }
    await until(() => pair.messages.length === texts.length && pair.peer.received.length === texts.length);
    assert.deepEqual(pair.messages, texts);
    assert.deepEqual(pair.peer.received, texts);
  });

  test(`${name}: closes when a peer without a proof has sent 64 KB`, async () => {
    await using pair = await open();
    const half = 'x'.repeat(MAX_UNPROVED_BYTES / 2);
    pair.peer.send(half);
    await until(() => pair.messages.length === 1);
    assert.equal(pair.closings.length, 0);
    pair.peer.send(half + half);
    await until(() => pair.closings.length > 0);
    assert.deepEqual(pair.messages, [half]);
  });

  test(`${name}: calls no disposed listener`, async () => {
    await using pair = await open();
    const heard: string[] = [];
    const listening = pair.channel.onMessage(frame => heard.push(textOfFrame(frame)));
    pair.peer.send('one');
    await until(() => pair.messages.length === 1);
    listening[Symbol.dispose]();
    pair.peer.send('two');
    await until(() => pair.messages.length === 2);
    assert.deepEqual(heard, ['one']);
  });

  test(`${name}: reports a close by the peer once, with its reason`, async () => {
    await using pair = await open();
    pair.peer.close('Studio was closed');
    await until(() => pair.closings.length > 0);
    pair.channel.close('too late');
    pair.channel.send('dropped');
    assert.deepEqual(pair.closings, ['Studio was closed']);
    assert.deepEqual(pair.peer.received, []);
  });

  test(`${name}: reports a close by the bridge once, and sends nothing afterwards`, async () => {
    await using pair = await open();
    pair.channel.close('the bridge stops');
    pair.channel.close('again');
    pair.channel.send('dropped');
    await until(() => pair.closings.length > 0);
    assert.deepEqual(pair.closings, ['the bridge stops']);
    assert.deepEqual(pair.peer.received, []);
  });
}
