import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { redact } from '../../../src/vscode/redact.ts';

const secrets = { home: '/home/ada.lovelace', userName: 'ada.lovelace', tokens: () => ['s3cr3t-token-value'] };
const clean = (line: string): string => redact(line, secrets);

test('removes tokens, credentials and the home folder', () => {
  assert.equal(clean('token is s3cr3t-token-value!'), 'token is <token>!');
  assert.equal(clean('Authorization: Bearer abc.def'), 'Authorization: <token>');
  assert.equal(clean('{"authorization":"Bearer abc.def","x":1}'), '{"authorization":"<token>","x":1}');
  assert.equal(clean('sent bearer abc123'), 'sent bearer <token>');
  assert.equal(clean('GET /mcp?token=abc&x=1'), 'GET /mcp?token=<token>&x=1');
  assert.equal(clean('reading /home/ada.lovelace/game'), 'reading ~/game');
  assert.equal(clean('reading /mnt/ada.lovelace/game'), 'reading /mnt/<user>/game');
});

test('keeps the user name outside of paths', () => {
  assert.equal(clean('ada.lovelace wrote this'), 'ada.lovelace wrote this');
});

test('is idempotent and removes every known token', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (before, after) => {
      const once = clean(`${before}s3cr3t-token-value${after}`);
      assert.ok(!once.includes('s3cr3t-token-value'));
      assert.equal(clean(once), once);
    }),
  );
});
