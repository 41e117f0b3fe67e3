import { readFile } from 'node:fs/promises';

/** The two ends of a connection, from the server's point of view. */
export type Ends = {
  readonly [K in 'localAddress' | 'remoteAddress']?: string | undefined;
} & { readonly [K in 'localPort' | 'remotePort']?: number | undefined };

/**
 * Who owns the other end of a connection on this machine. `closed`: its process has closed it, so it cannot be identified and receives no
 * answer. `unknown`: not on Linux, or the peer is in another network namespace, such as Windows behind WSL.
 */
export type PeerOwner = { readonly kind: 'user'; readonly uid: number } | { readonly kind: 'closed' | 'unknown' };

/** Columns of a row of `/proc/net/tcp`. */
const COLUMN = { state: 3, uid: 7, inode: 9 } as const;
const ESTABLISHED = '01';

/**
 * Finds the peer in the tables of TCP connections.
 *
 * @param tables the texts of `/proc/net/tcp` and `/proc/net/tcp6`; empty if they cannot be read
 */
export function findPeerOwner(tables: readonly string[], ends: Ends): PeerOwner {
  const own = hexForms(ends.localAddress, ends.localPort);
  const peer = hexForms(ends.remoteAddress, ends.remotePort);
  const columns = connectionRow(tables, peer, own);
  // A closed socket has no inode, and the kernel reports it as owned by root.
  if (columns?.[COLUMN.inode] === '0') return { kind: 'closed' };
  if (columns !== undefined) return { kind: 'user', uid: Number(columns[COLUMN.uid]) };
  // A peer that reset its connection has no row either, although data that it sent before can still be read.
  const isOpen = connectionRow(tables, own, peer)?.[COLUMN.state] === ESTABLISHED;
  return { kind: isOpen || tables.every(table => table === '') ? 'unknown' : 'closed' };
}

/** The columns of the connection from `local` to `remote`, in their forms of both tables. */
function connectionRow(
  tables: readonly string[],
  local: readonly string[],
  remote: readonly string[],
): readonly string[] | undefined {
  // Searched as text: a table has thousands of rows while a program opens connections, and each connection is looked up.
  const rows = tables.flatMap(table => local.map((form, index) => rowWith(table, ` ${form} ${remote[index]} `)));
  return rows.find(row => row !== undefined);
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
export async function isPeerOfUser({ localAddress, localPort, remoteAddress, remotePort }: Ends): Promise<boolean> {
  const uid = process.getuid?.();
  if (process.platform !== 'linux' || uid === undefined) return true;
  // Copied before anything is awaited, because a closed socket has no addresses.
  const ends = { localAddress, localPort, remoteAddress, remotePort };
  let owner = findPeerOwner(await readTables(), ends);
  // A peer that reset its connection while the tables were read may be missing in them, while the other end is not.
  if (owner.kind === 'unknown') owner = findPeerOwner(await readTables(), ends);
  return owner.kind === 'unknown' || (owner.kind === 'user' && (owner.uid === uid || owner.uid === 0));
}

const readTables = (): Promise<readonly string[]> =>
  // Without these tables, the owner is unknown.
  Promise.all(['/proc/net/tcp', '/proc/net/tcp6'].map(path => readFile(path, 'utf8').catch(() => '')));
