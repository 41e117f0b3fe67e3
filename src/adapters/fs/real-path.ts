import { open, readlink, realpath } from 'node:fs/promises';
import { isAbsolute, join, parse, sep } from 'node:path';

/** Names of a path from which opening it is faster than `realpath`, whose time is quadratic in their number: it looks up every prefix. */
const MIN_DEEP_NAMES = 64;
/** `O_PATH` of Linux, which Node does not name: needs no permission to read, and does not wait for pipes. */
const O_PATH = 0o10_000_000;

/** As many as Linux follows in one path. */
const MAX_LINKS = 40;

/** The real path of an existing entry, like `realpath`, in linear time for deep paths on Linux. @throws what `realpath` throws */
export async function realPathOf(path: string): Promise<string> {
  if (process.platform !== 'linux' || path.split('/').length < MIN_DEEP_NAMES) return realpath(path);
  const handle = await open(path, O_PATH);
  try {
    const there = await readlink(`/proc/self/fd/${handle.fd}`);
    // Linux marks entries without a path, which were removed or are outside of the mounted folders.
    if (there.startsWith('/') && !there.endsWith(' (deleted)')) return there;
  } catch {
    // No `/proc` is mounted.
  } finally {
    await handle.close();
  }
  return realpath(path);
}

/** The target of a path, also behind a broken link: as `realPathOf`, for names that may not exist. Follows at most `MAX_LINKS` links. */
export async function linkTargetOf(absolute: string): Promise<string> {
  let at = parse(absolute).root;
  const names = absolute.slice(at.length).split(sep);
  let links = 0;
  for (let name = names.shift(); name !== undefined; name = names.shift()) {
    const next = join(at, name);
    // A name that is not a link, does not exist or cannot be read is kept as it is.
    const target = links < MAX_LINKS ? await readlink(next).catch(() => undefined) : undefined;
    if (target === undefined) at = next;
    else {
      links += 1;
      if (isAbsolute(target)) at = parse(target).root;
      names.unshift(...target.slice(isAbsolute(target) ? at.length : 0).split(sep));
    }
  }
  return at;
}
