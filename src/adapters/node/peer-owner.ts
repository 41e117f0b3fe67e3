import { readFile } from 'node:fs/promises';

/** The two ends of a connection, from the server's point of view. */
export type Ends = {
  readonly [K in 'localAddress' | 'remoteAddress']?: string | undefined;
} & { readonly [K in 'localPort' | 'remotePort']?: number | undefined };

/**
 * Who owns the other end of a connection on this machine. `gone`: its process has closed it, so it cannot be identified and receives no
 * answer. `unknown`: not on Linux, or the peer is in another network namespace, such as Windows behind WSL.
 */
export type PeerOwner = { readonly kind: 'user'; readonly uid: number } | { readonly kind: 'gone' | 'unknown' };

/** Columns of a row of `/proc/net/tcp`. */
const COLUMN = { uid: 7, inode: 9 } as const;

/**
 * Finds the peer in the tables of TCP connections.
 *
 * @param tables the texts of `/proc/net/tcp` and `/proc/net/tcp6`
 */
export function findPeerOwner(tables: readonly string[], ends: Ends): PeerOwner {
  const local = hexForms(ends.remoteAddress, ends.remotePort);
  const remote = hexForms(ends.localAddress, ends.localPort);
  // Searched as text: a table has thousands of rows while a program opens connections, and each connection is looked up.
  const rows = tables.flatMap(table => local.map((form, index) => rowWith(table, ` ${form} ${remote[index]} `)));
  for (const columns of rows) {
    if (columns === undefined) continue;
    // A closed socket has no inode, and the kernel reports it as owned by root.
    if (columns[COLUMN.inode] === '0') return { kind: 'gone' };
    return { kind: 'user', uid: Number(columns[COLUMN.uid]) };
  }
  return { kind: 'unknown' };
}

function rowWith(table: string, part: string): readonly string[] | undefined {
  const at = table.indexOf(part);
  if (at < 0) return undefined;
  const end = table.indexOf('\n', at);
  return table
    .slice(table.lastIndexOf('\n', at) + 1, end < 0 ? undefined : end)
    .trim()
    .split(/\s+/);
}

/** An IPv4 address and port as in both tables; the second one is the mapped address of an IPv6 socket. */
function hexForms(address = '', port = 0): readonly string[] {
  const bytes = address
    .replace(/^::ffff:/i, '')
    .split('.')
    .map(Number);
  if (bytes.length !== 4 || bytes.some(byte => !Number.isInteger(byte))) return [];
  const hex = (value: number, digits: number): string => value.toString(16).toUpperCase().padStart(digits, '0');
  // The kernel prints words of 32 bits in the byte order of the machine.
  const word = new Uint32Array(Uint8Array.from(bytes).buffer)[0] ?? 0;
  const mark = new Uint32Array(Uint8Array.from([0, 0, 255, 255]).buffer)[0] ?? 0;
  const [four, end] = [hex(word, 8), hex(port, 4)];
  return [`${four}:${end}`, `${'0'.repeat(16)}${hex(mark, 8)}${four}:${end}`];
}

/** Whether a peer may be a Studio of this user: it belongs to the same user or to root, or its owner is unknown. */
export async function isPeerOfUser(ends: Ends): Promise<boolean> {
  const own = process.getuid?.();
  if (process.platform !== 'linux' || own === undefined) return true;
  const tables = await Promise.all(
    // Without these tables, the owner is unknown.
    ['/proc/net/tcp', '/proc/net/tcp6'].map(path => readFile(path, 'utf8').catch(() => '')),
  );
  const owner = findPeerOwner(tables, ends);
  return owner.kind === 'unknown' || (owner.kind === 'user' && (owner.uid === own || owner.uid === 0));
}
