import type { ProgramHost } from '../../../ports/program-host.ts';
import { fromByteText, toByteText } from '../values/byte-text.ts';
import { List } from '../values/collections.ts';
import { textOf } from '../values/text-of.ts';
import type { ExternTable } from './extern-table.ts';

const levels = ['DEBUG', 'INFO', 'WARN', 'ERROR'];

/** `__pluto_print_…`, `…_io_…`, `…_env_…`, `…_time_…`, `…_log_…` */
export function hostExterns(host: () => ProgramHost, sleep: (ns: bigint) => void): ExternTable {
  const printLine = (value: unknown): void => host().write('stdout', `${textOf(value)}\n`);
  let level = 1n;
  return {
    __pluto_print_int: printLine,
    __pluto_print_float: printLine,
    __pluto_print_string: printLine,
    __pluto_print_bool: (value: bigint | boolean) => printLine(Boolean(value)),
    __pluto_print_string_no_newline: (text: string) => host().write('stdout', text),
    __pluto_io_read_line: () => host().readLine() ?? '',
    __pluto_env_get: (name: string) => toByteText(host().environment.get(fromByteText(name)) ?? ''),
    __pluto_env_get_or: (name: string, fallback: string) => {
      const value = host().environment.get(fromByteText(name));
      return value === undefined ? fallback : toByteText(value);
    },
    __pluto_env_set: (name: string, value: string) =>
      void host().environment.set(fromByteText(name), fromByteText(value)),
    __pluto_env_exists: (name: string) => host().environment.has(fromByteText(name)),
    __pluto_env_list_names: () => new List(Array.from(host().environment.keys(), toByteText)),
    __pluto_env_clear: (name: string) => void host().environment.delete(fromByteText(name)),
    __pluto_time_ns: () => host().monotonicNs(),
    __pluto_time_wall_ns: () => host().wallNs(),
    __pluto_time_sleep_ns: (ns: bigint) => {
      if (ns > 0n) sleep(ns);
    },
    __pluto_log_get_level: () => level,
    __pluto_log_set_level: (value: bigint) => {
      level = value;
    },
    __pluto_log_write: (value: bigint, text: string) =>
      host().write('stderr', `[${levels[Number(value)] ?? 'INFO'}] ${host().wallNs() / 1_000_000n} ${text}\n`),
  };
}
