import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

export type GuardVerdict = 'ok' | 'fromPage' | 'badHost';

/**
 * Checks whether a request may be handled. Local requests are not trusted, because any web page can send requests to loopback.
 *
 * - `fromPage`: the request has `Origin` or `Sec-Fetch-Site`. Browsers send one of them with every request of a page, and pages cannot omit
 *   them; agents and Studio send neither. (`Sec-Fetch-Mode` alone is not enough, because Node's `fetch` sends it.) One `Origin` is accepted:
 *   that of the listener itself, with a token and without any header of the `Sec-Fetch` family. No page has it, because the listener serves no
 *   pages and browsers add those headers to every request to loopback; some MCP clients send it for the address that they connect to.
 * - `badHost`: the `Host` is not a loopback name, so another name resolves to this machine (DNS rebinding). Any port is accepted, because with
 *   a forwarded port the client uses its local port number.
 *
 * @param hasToken whether the request has a valid bearer token
 */
export function checkRequest(headers: IncomingHttpHeaders, hasToken: boolean): GuardVerdict {
  if (headers['sec-fetch-site'] !== undefined) return 'fromPage';
  if (headers.origin !== undefined && !(hasToken && isOwnOrigin(headers))) return 'fromPage';
  return /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/i.test(headers.host ?? '') ? 'ok' : 'badHost';
}

const isOwnOrigin = (headers: IncomingHttpHeaders): boolean =>
  headers.origin === `http://${headers.host}` && !Object.keys(headers).some(name => name.startsWith('sec-fetch-'));

/** Whether `Authorization` is `Bearer <token>`; takes the same time for every wrong value. */
export function bearerMatches(headers: IncomingHttpHeaders, token: string): boolean {
  const given = /^bearer +(.+)$/i.exec(headers.authorization ?? '')?.[1] ?? '';
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(token));
}
