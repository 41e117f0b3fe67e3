import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBridgeToken, loadOrCreateToken } from '../../../../src/vscode/mcp/token.ts';

function secretStorage(kept = new Map<string, string>()) {
  return {
    kept,
    get: (key: string) => Promise.resolve(kept.get(key)),
    store: (key: string, value: string) => Promise.resolve(void kept.set(key, value)),
  };
}

test('the token is made once and kept as a secret', async () => {
  const secrets = secretStorage();
  const token = await loadOrCreateToken(secrets);
  assert.match(token, /^[\w-]{43}$/);
  assert.equal(await loadOrCreateToken(secrets), token);
  assert.notEqual(await loadOrCreateToken(secretStorage()), token);
});

test('what is kept but is no token is replaced', async () => {
  const secrets = secretStorage(new Map([['atlas.mcpToken', '']]));
  assert.match(await loadOrCreateToken(secrets), /^[\w-]{43}$/);
});

test('a secret store that fails once is read again by the next who asks, and then answers from memory', async () => {
  const read: string[] = [];
  const answers = [Promise.reject<string>(new Error('the keyring is locked')), Promise.resolve('one')];
  const token = createBridgeToken(
    () => answers.shift() ?? Promise.reject(new Error('asked too often')),
    value => read.push(value),
  );
  await assert.rejects(token.current(), /keyring is locked/);
  assert.equal(await token.current(), 'one');
  assert.equal(await token.current(), 'one');
  assert.deepEqual(read, ['one']);
});

test('each bridge reads the secret anew, and one whose reading fails leaves no failure behind', async () => {
  const answers = [Promise.resolve('one'), Promise.reject<string>(new Error('locked')), Promise.resolve('two')];
  const token = createBridgeToken(
    () => answers.shift() ?? Promise.reject(new Error('asked too often')),
    () => {},
  );
  await token.renew();
  await assert.rejects(token.renew(), /locked/);
  assert.equal(await token.current(), 'one');
  await token.renew();
  assert.equal(await token.current(), 'two');
});
