import type { Value } from '../../backend/contract.ts';
import type { ProgramHost } from '../../../ports/program-host.ts';
import { fail } from '../values/failures.ts';
import type { ExternTable } from './extern-table.ts';
import { fileExterns } from './file-externs.ts';
import { hostExterns } from './host-externs.ts';
import { randomExterns } from './random-externs.ts';
import { textExterns } from './text-externs.ts';

type Sleep = (ns: bigint) => void;

/** @param host called when an extern first needs it */
const tableOver = (host: () => ProgramHost, sleep: Sleep): ExternTable => ({
  ...textExterns,
  ...hostExterns(host, sleep),
  ...randomExterns(host),
  ...fileExterns(() => host().files),
});

const names: ReadonlySet<string> = new Set(
  Object.keys(
    tableOver(
      () => fail('this program has no host'),
      () => undefined,
    ),
  ),
);

/** Whether this runtime supports an extern. Sockets and HTTP are unsupported. */
export const isExtern = (name: string): boolean => names.has(name);

/** All externs on one host. Their state (log level, random numbers) belongs to one run. */
export function externsOver(
  host: ProgramHost,
  sleep: Sleep,
): (name: string, result: string) => (...args: Value[]) => Value {
  const table = tableOver(() => host, sleep);
  return (name, result) => {
    const extern = table[name];
    if (extern === undefined) return () => fail(`pluto: not supported: this runtime has no extern '${name}'`);
    // Booleans are 0 and 1, unless the declared result is `bool`.
    if (result === 'bool') return (...args) => Boolean(extern(...args));
    if (result !== 'int') return extern;
    return (...args) => {
      const value = extern(...args);
      return typeof value === 'boolean' ? BigInt(value) : value;
    };
  };
}
