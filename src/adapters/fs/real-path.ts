import { open, readlink, realpath } from 'node:fs/promises';
import { isAbsolute, join, parse, sep } from 'node:path';

/** Number of names from which opening a path is faster than `realpath`, which looks up every prefix and so takes quadratic time. */
const MIN_DEEP_NAMES = 64;
/** `O_PATH` of Linux, which Node does not name: needs no permission to read, and does not wait for pipes. */
const O_PATH = 0o10_000_000;

/** The number of links that Linux follows in one path. */
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

/** Like `realPathOf`, for paths whose last names may not exist, such as the target of a broken link. Follows at most `MAX_LINKS` links. */
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
