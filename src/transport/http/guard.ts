import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

export type GuardVerdict = 'ok' | 'fromPage' | 'badHost';

/**
 * Whether a request may be looked at at all. Local does not mean trusted: any web page can send requests to loopback.
 *
 * - `fromPage`: `Origin` or `Sec-Fetch-Site` is there. Browsers send one of them with whatever a page does, and pages cannot leave
 *   them out; agents and Studio send neither. (`Sec-Fetch-Mode` is no sign: Node's own `fetch` sends it.)
 * - `badHost`: the name that was asked for is not this listener's, so some other name was made to point here (DNS rebinding).
 */
export function judge(headers: IncomingHttpHeaders, port: number): GuardVerdict {
  if (headers.origin !== undefined || headers['sec-fetch-site'] !== undefined) return 'fromPage';
  const host = headers.host?.toLowerCase();
  const isOurs = host !== undefined && ['127.0.0.1', 'localhost', '[::1]'].some(name => host === `${name}:${port}`);
  return isOurs ? 'ok' : 'badHost';
}

/** Whether `Authorization` is `Bearer <token>`; takes the same time for every wrong value. */
export function bearerMatches(headers: IncomingHttpHeaders, token: string): boolean {
  const given = /^bearer +(.+)$/i.exec(headers.authorization ?? '')?.[1] ?? '';
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(token));
}
