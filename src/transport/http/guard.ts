import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

export type GuardVerdict = 'ok' | 'fromPage' | 'badHost';

/**
 * Checks whether a request may be handled. Local requests are not trusted, because any web page can send requests to loopback.
 *
 * - `fromPage`: the request has `Origin` or `Sec-Fetch-Site`. Browsers send one of them with every request of a page, and pages cannot omit
 *   them; agents and Studio send neither. (`Sec-Fetch-Mode` is not checked, because Node's `fetch` sends it.)
 * - `badHost`: the `Host` is not a loopback name, so another name resolves to this machine (DNS rebinding). Any port is accepted, because with
 *   a forwarded port the client uses its local port number.
 */
export function checkRequest(headers: IncomingHttpHeaders): GuardVerdict {
  if (headers.origin !== undefined || headers['sec-fetch-site'] !== undefined) return 'fromPage';
  return /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/i.test(headers.host ?? '') ? 'ok' : 'badHost';
}

/** Whether `Authorization` is `Bearer <token>`; takes the same time for every wrong value. */
export function bearerMatches(headers: IncomingHttpHeaders, token: string): boolean {
  const given = /^bearer +(.+)$/i.exec(headers.authorization ?? '')?.[1] ?? '';
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(token));
}
