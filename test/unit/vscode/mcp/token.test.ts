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

test('creates the token once and stores it as a secret', async () => {
  const secrets = secretStorage();
  const token = await loadOrCreateToken(secrets);
  assert.match(token, /^[\w-]{43}$/);
  assert.equal(await loadOrCreateToken(secrets), token);
  assert.notEqual(await loadOrCreateToken(secretStorage()), token);
});

test('replaces a stored value that is not a token', async () => {
  const secrets = secretStorage(new Map([['atlas.mcpToken', '']]));
  assert.match(await loadOrCreateToken(secrets), /^[\w-]{43}$/);
});

test('retries after a failed read, then answers from memory', async () => {
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

test('reads the secret again for each bridge, and does not keep a failure', async () => {
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
