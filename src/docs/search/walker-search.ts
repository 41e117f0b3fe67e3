import type { RootPath } from '../../base/root-path.ts';
import { compileGlob, type Glob } from '../../base/globs/glob.ts';
import { TimeSlice } from '../../base/time-slice.ts';
import { AppError } from '../../base/errors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { RootFiles } from '../ports/root-files.ts';
import type { LineHit, OnHit, SearchBackend, SearchRequest } from '../ports/search-backend.ts';
import { RETRIEVAL_LIMITS } from '../../protocol/limits.ts';
import { readBytes } from '../files/file-bytes.ts';
import { createLineMatcher, type LineMatcher } from './line-matcher.ts';
import { walk } from '../files/walk.ts';

/** Lines between two checks of the clock. */
const LINES_PER_CLOCK_CHECK = 256;

/** Creates the search that is used without ripgrep: it reads the files in order and yields to the event loop regularly. */
export function createWalkerSearch(files: RootFiles, clock: Clock): SearchBackend {
  return {
    isAlwaysOrdered: true,

    async lines(request, onHit, signal) {
      const matcher = createLineMatcher(request.pattern);
      const slice = new TimeSlice(clock);
      await eachFile(files, request, slice, signal, async (folder, path) => {
        await slice.yieldToEventLoop();
        if (request.isWanted?.(folder, path) === false) return true;
        const bytes = await readText(files, request, folder, path, signal);
        return bytes === undefined || searchText(bytes, { folder, path }, request, matcher, onHit, slice, signal);
      });
    },

    async files(request, onFile, signal) {
      const slice = new TimeSlice(clock);
      await eachFile(files, request, slice, signal, async (folder, path) => {
        await slice.yieldToEventLoop();
        return onFile(folder, path);
      });
    },
  };
}

async function eachFile(
  files: RootFiles,
  request: Pick<SearchRequest, 'folders' | 'nameGlobs'>,
  slice: TimeSlice,
  signal: AbortSignal,
  visit: (folder: number, path: RootPath) => Promise<boolean>,
): Promise<void> {
  const globs = (request.nameGlobs ?? []).flatMap((glob): readonly Glob[] => {
    const compiled = compileGlob(glob, 'names');
    return compiled.ok ? [compiled.value] : [];
  });
  for (const [index, folder] of request.folders.entries())
    for await (const path of walk(files, { id: String(index), folder }, slice, signal)) {
      const name = path.slice(path.lastIndexOf('/') + 1);
      if (globs.length > 0 && !globs.some(fits => fits(name))) continue;
      if (!(await visit(index, path))) return;
    }
}

/** Returns `undefined` for a file that is not searched: too large, binary or unreadable. */
async function readText(
  files: RootFiles,
  request: SearchRequest,
  folder: number,
  path: RootPath,
  signal: AbortSignal,
): Promise<Uint8Array | undefined> {
  try {
    await using file = await files.open({ id: String(folder), folder: request.folders[folder] ?? '' }, path);
    if (file.size > RETRIEVAL_LIMITS.searchedFileBytes) {
      request.onTooLarge?.(folder, path);
      return undefined;
    }
    const bytes = await readBytes(file, 0, RETRIEVAL_LIMITS.searchedFileBytes, signal);
    return bytes.includes(0) ? undefined : bytes;
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

async function searchText(
  bytes: Uint8Array,
  place: Pick<LineHit, 'folder' | 'path'>,
  request: SearchRequest,
  matcher: LineMatcher,
  onHit: OnHit,
  slice: TimeSlice,
  signal: AbortSignal,
): Promise<boolean> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const encoder = new TextEncoder();
  const { maxPerFile = Infinity } = request;
  let found = 0;
  for (let from = 0, line = 1; from < bytes.length && found < maxPerFile; line += 1) {
    if (line % LINES_PER_CLOCK_CHECK === 0) {
      await slice.yieldToEventLoop();
      signal.throwIfAborted();
    }
    const newline = bytes.indexOf(10, from);
    const end = newline < 0 ? bytes.length : newline;
    const text = decoder.decode(bytes.subarray(from, end > from && bytes[end - 1] === 13 ? end - 1 : end));
    const at = matcher(text);
    if (at >= 0) {
      found += 1;
      const matchOffset = text.includes('\uFFFD')
        ? byteOffset(bytes.subarray(from, end), at, decoder)
        : encoder.encode(text.slice(0, at)).length;
      const isShort = end - from <= RETRIEVAL_LIMITS.lineBytes;
      const answer = onHit({ ...place, line, text: isShort ? text : undefined, lineOffset: from, matchOffset });
      if (!(typeof answer === 'boolean' ? answer : await answer)) return false;
    }
    from = end + 1;
  }
  return true;
}

/** Returns how many bytes of a line decode to its first `chars` characters, for a line that is not valid UTF-8. */
function byteOffset(line: Uint8Array, chars: number, decoder: InstanceType<typeof TextDecoder>): number {
  let low = 0;
  let high = line.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (decoder.decode(line.subarray(0, middle)).length < chars) low = middle + 1;
    else high = middle;
  }
  return low;
}
