import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadOrCreateToken } from '../../../../../src/adapters/vscode/mcp/token.ts';

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
