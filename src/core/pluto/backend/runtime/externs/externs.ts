import type { Value } from '../../contract.ts';
import type { ProgramHost } from '../../../../../ports/program-host.ts';
import { fail } from '../values/failures.ts';
import { fileExterns } from './file-externs.ts';
import { hostExterns } from './host-externs.ts';
import { textExterns } from './text-externs.ts';

/** All externs over one host; the state of some (the level of the log, random numbers) is that of one run. */
export function externsOver(host: ProgramHost): (name: string, result: string) => (...args: Value[]) => Value {
  const table = { ...textExterns, ...hostExterns(host), ...fileExterns(host.files) };
  return (name, result) => {
    const extern = table[name];
    if (extern === undefined) return () => fail(`pluto: not supported: ${name} is no extern of this runtime`);
    // Booleans travel as 0 and 1, unless the declaration says that they are some.
    if (result === 'bool') return (...args) => Boolean(extern(...args));
    if (result !== 'int') return extern;
    return (...args) => {
      const value = extern(...args);
      return typeof value === 'boolean' ? BigInt(value) : value;
    };
  };
}
