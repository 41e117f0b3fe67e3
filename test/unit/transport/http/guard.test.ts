import assert from 'node:assert/strict';
import type { IncomingHttpHeaders } from 'node:http';
import { test } from 'node:test';
import { bearerMatches, checkRequest } from '../../../../src/transport/http/guard.ts';

const PORT = 34873;
const host = `127.0.0.1:${PORT}`;
const rows: readonly (readonly [headers: IncomingHttpHeaders, verdict: string])[] = [
  [{ host }, 'ok'],
  [{ host: `localhost:${PORT}` }, 'ok'],
  [{ host: `LOCALHOST:${PORT}` }, 'ok'],
  [{ host: `[::1]:${PORT}` }, 'ok'],
  [{ host, 'sec-fetch-mode': 'cors' }, 'ok'],
  [{ host, 'user-agent': 'RobloxStudio/WinInet' }, 'ok'],
  [{}, 'badHost'],
  // Forwarded from another machine, so the port is the forwarded one.
  [{ host: '127.0.0.1:50123' }, 'ok'],
  [{ host: 'localhost' }, 'ok'],
  [{ host: '127.0.0.1:80@evil.example' }, 'badHost'],
  [{ host: 'localhost:80.evil.example' }, 'badHost'],
  [{ host: '' }, 'badHost'],
  [{ host: `evil.example:${PORT}` }, 'badHost'],
  [{ host: `127.0.0.1.evil.example:${PORT}` }, 'badHost'],
  [{ host: `user@127.0.0.1:${PORT}` }, 'badHost'],
  [{ host: `localhost.:${PORT}` }, 'badHost'],
  [{ host: `127.0.0.2:${PORT}` }, 'badHost'],
  [{ host: `0.0.0.0:${PORT}` }, 'badHost'],
  [{ host, origin: 'https://evil.example' }, 'fromPage'],
  [{ host, origin: `http://127.0.0.1:${PORT}` }, 'fromPage'],
  [{ host, origin: 'null' }, 'fromPage'],
  [{ host, origin: '' }, 'fromPage'],
  [{ host, 'sec-fetch-site': 'cross-site' }, 'fromPage'],
  [{ host, 'sec-fetch-site': 'same-origin' }, 'fromPage'],
  [{ host, 'sec-fetch-site': 'none' }, 'fromPage'],
];

for (const [headers, verdict] of rows)
  test(`[P5] ${JSON.stringify(headers)} is ${verdict}`, () => assert.equal(checkRequest(headers, false), verdict));

test('accepts only the exact token', () => {
  const matches = (authorization?: string): boolean =>
    bearerMatches(authorization === undefined ? {} : { authorization }, 'secret');
  assert.equal(matches('Bearer secret'), true);
  assert.equal(matches('bearer secret'), true);
  for (const wrong of [undefined, '', 'Bearer', 'Bearer ', 'secret', 'Basic secret', 'Bearer Secret', 'Bearer secrets'])
    assert.equal(matches(wrong), false, wrong);
});
