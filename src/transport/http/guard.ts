import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

export type GuardVerdict = 'ok' | 'fromPage' | 'badHost';

/**
 * Whether a request may be looked at at all. Local does not mean trusted: any web page can send requests to loopback.
 *
 * - `fromPage`: `Origin` or `Sec-Fetch-Site` is there. Browsers send one of them with whatever a page does, and pages cannot leave
 *   them out; agents and Studio send neither. (`Sec-Fetch-Mode` is no sign: Node's own `fetch` sends it.)
 * - `badHost`: the name that was asked for is not one of this machine's own, so some other name was made to point here (DNS rebinding). Any
 *   port is good: where a remote machine's port is forwarded, whoever asks names the port at their end.
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
