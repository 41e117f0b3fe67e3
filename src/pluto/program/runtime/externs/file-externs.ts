import type { ProgramFiles } from '../../../ports/program-host.ts';
import { fromByteText, toByteText } from '../values/byte-text.ts';
import { List } from '../values/collections.ts';
import type { ExternTable } from './extern-table.ts';

const froms = ['start', 'here', 'end'] as const;

/** `__pluto_fs_…`: a failed call returns -1 or an empty text; `strerror` has the reason. */
export function fileExterns(host: () => ProgramFiles): ExternTable {
  let problem = '';
  const attempt = <T>(otherwise: T, act: () => T): T => {
    try {
      const result = act();
      problem = '';
      return result;
    } catch (error) {
      problem = error instanceof Error ? error.message : String(error);
      return otherwise;
    }
  };
  const number = (act: () => number): bigint => BigInt(attempt(-1, act));
  const done = (act: () => void): bigint => number(() => (act(), 0));
  const open = (mode: 'read' | 'write' | 'append') => (path: string) =>
    number(() => host().open(fromByteText(path), mode));
  const whole = (mode: 'write' | 'append') => (path: string, text: string) =>
    done(() => {
      const file = host().open(fromByteText(path), mode);
      try {
        host().write(file, text);
      } finally {
        host().close(file);
      }
    });
  const kind = (path: string) => attempt(undefined, () => host().kind(fromByteText(path)));
  return {
    __pluto_fs_strerror: () => toByteText(problem),
    __pluto_fs_open_read: open('read'),
    __pluto_fs_open_write: open('write'),
    __pluto_fs_open_append: open('append'),
    __pluto_fs_close: (file: bigint) => done(() => host().close(Number(file))),
    __pluto_fs_read: (file: bigint, most: bigint) => attempt('', () => host().read(Number(file), Number(most))),
    __pluto_fs_write: (file: bigint, text: string) => number(() => host().write(Number(file), text)),
    __pluto_fs_seek: (file: bigint, offset: bigint, from: bigint) =>
      number(() => host().seek(Number(file), Number(offset), froms[Number(from)] ?? 'start')),
    __pluto_fs_read_all: (path: string) => attempt('', () => readAll(host(), fromByteText(path))),
    __pluto_fs_write_all: whole('write'),
    __pluto_fs_append_all: whole('append'),
    __pluto_fs_exists: (path: string) => kind(path) !== undefined,
    __pluto_fs_file_size: (path: string) => number(() => host().size(fromByteText(path))),
    __pluto_fs_is_dir: (path: string) => kind(path) === 'folder',
    __pluto_fs_is_file: (path: string) => kind(path) === 'file',
    __pluto_fs_remove: (path: string) => done(() => host().remove(fromByteText(path))),
    __pluto_fs_mkdir: (path: string) => done(() => host().makeFolder(fromByteText(path))),
    __pluto_fs_rmdir: (path: string) => done(() => host().removeFolder(fromByteText(path))),
    __pluto_fs_rename: (from: string, to: string) => done(() => host().rename(fromByteText(from), fromByteText(to))),
    __pluto_fs_copy: (from: string, to: string) => done(() => host().copy(fromByteText(from), fromByteText(to))),
    __pluto_fs_list_dir: (path: string) => new List(attempt([], () => host().list(fromByteText(path)).map(toByteText))),
    __pluto_fs_temp_dir: () => toByteText(attempt('', () => host().temporaryFolder())),
    __pluto_fs_seek_set: () => 0n,
    __pluto_fs_seek_cur: () => 1n,
    __pluto_fs_seek_end: () => 2n,
  };
}

function readAll(files: ProgramFiles, path: string): string {
  const file = files.open(path, 'read');
  try {
    const parts: string[] = [];
    for (let part = files.read(file, 65_536); part !== ''; part = files.read(file, 65_536)) parts.push(part);
    return parts.join('');
  } finally {
    files.close(file);
  }
}
