import { env } from 'node:process';
import { createInterface } from 'node:readline';
import { type StartedProcess, startProcess } from '../../../adapters/node/start-process.ts';
import { messageOf } from '../../../base/describe-cause.ts';
import { AppError } from '../../../base/errors.ts';
import type { LineHit, OnHit, SearchBackend, SearchRequest } from '../../ports/search-backend.ts';
import { RETRIEVAL_LIMITS } from '../../../protocol/limits.ts';
import { FolderPaths } from './folder-paths.ts';
import { containsNul } from './contains-nul.ts';
import { type RipgrepRecord, RipgrepRecords } from './ripgrep-records.ts';

/** Maximum number of buffered hits of a file before it is checked for binary content. */
const MAX_BUFFERED_HITS = 256;
const STDERR_CHARS = 4096;

/** Options that make the results independent of the user's configuration and the location of the folder. */
const reproducibleOptions = [
  '--no-config',
  '--no-messages',
  '--color=never',
  '--path-separator=/',
  // Use .gitignore files without a repository too, but only those inside the folder.
  '--no-require-git',
  '--no-ignore-parent',
  '--no-ignore-global',
  '--no-ignore-exclude',
  '--no-ignore-dot',
  // In the output of a search, the part after the line break looks like the path of another file, even of one in another root.
  '--glob=!*\n*',
];

/** Creates the search that runs ripgrep. @param program absolute path of ripgrep */
export function createRipgrepSearch(program: string): SearchBackend {
  return {
    isAlwaysOrdered: false,

    async lines(request, onHit, signal) {
      const search = start(program, lineArguments(request), signal, tooLargeReader(request));
      const waiting = new HitBuffer(request, onHit);
      let continues = true;
      try {
        const records = new RipgrepRecords(path => waiting.isWanted(path));
        for await (const chunk of search.child.stdout) {
          for (const record of records.push(chunk as Buffer)) {
            continues = await waiting.add(record);
            if (!continues) break;
          }
          if (!continues) break;
        }
        if (continues) continues = await waiting.flush();
      } catch (error) {
        signal.throwIfAborted();
        throw error;
      } finally {
        search.child.kill('SIGKILL');
      }
      if (continues) await waitForExit(search, signal);
    },

    async files(request, onFile, signal) {
      const search = start(program, ['--files', '-0', ...reproducibleOptions, ...targetArguments(request)], signal);
      const paths = new FolderPaths(request.folders);
      let rest: Buffer = Buffer.alloc(0);
      let continues = true;
      try {
        for await (const chunk of search.child.stdout) {
          rest = rest.length === 0 ? (chunk as Buffer) : Buffer.concat([rest, chunk as Buffer]);
          let from = 0;
          for (let end = rest.indexOf(0); end >= 0 && continues; end = rest.indexOf(0, from)) {
            const found = paths.read(rest.subarray(from, end));
            from = end + 1;
            if (found !== undefined) continues = onFile(found.folder, found.path);
          }
          rest = rest.subarray(from);
          if (!continues) break;
        }
      } finally {
        search.child.kill('SIGKILL');
      }
      if (continues) await waitForExit(search, signal);
    },
  };
}

/** Returns the arguments of a search; exported for benchmarks. */
export function lineArguments(request: SearchRequest): readonly string[] {
  const { pattern, maxPerFile, onTooLarge } = request;
  return [
    ...reproducibleOptions,
    '--no-heading',
    '--with-filename',
    '--line-number',
    '--column',
    '--byte-offset',
    '--null',
    '--no-mmap',
    '--crlf',
    '--encoding=none',
    `--max-columns=${RETRIEVAL_LIMITS.lineBytes}`,
    `--max-filesize=${RETRIEVAL_LIMITS.searchedFileBytes}`,
    ...(onTooLarge === undefined ? [] : ['--debug']),
    request.inOrder ? '--sort=path' : '--sort=none',
    pattern.ignoreCase ? '--ignore-case' : '--case-sensitive',
    ...(pattern.isRegex ? ['--engine=default'] : ['--fixed-strings']),
    ...(pattern.wholeWord ? ['--word-regexp'] : []),
    ...(maxPerFile === undefined ? [] : [`--max-count=${maxPerFile}`]),
    ...pattern.texts.flatMap(text => ['-e', text]),
    ...targetArguments(request),
  ];
}

/** Returns the arguments for names and folders. Uses a file type, because `--glob` would include files that `.gitignore` excludes. */
const targetArguments = ({
  folders,
  nameGlobs = [],
}: Pick<SearchRequest, 'folders' | 'nameGlobs'>): readonly string[] => [
  ...nameGlobs.map(glob => `--type-add=wanted:${glob}`),
  ...(nameGlobs.length > 0 ? ['--type=wanted'] : []),
  '--',
  ...folders,
];

interface RunningSearch {
  readonly child: StartedProcess;
  /** The error output without debug output, when it ends. */
  readonly errors: Promise<string>;
}

/** Returns a reader for ripgrep's debug output that reports files skipped because of their size. */
function tooLargeReader({ folders, onTooLarge }: SearchRequest): (line: string) => void {
  if (onTooLarge === undefined) return () => undefined;
  const paths = new FolderPaths(folders);
  return line => {
    const path = /^rg: DEBUG\|ignore::walk\|[^|]*?: ignoring (.+): \d+ bytes$/.exec(line)?.[1];
    const place = path === undefined ? undefined : paths.read(Buffer.from(path));
    if (place !== undefined) onTooLarge(place.folder, place.path);
  };
}

function start(
  program: string,
  args: readonly string[],
  signal: AbortSignal,
  onDebug: (line: string) => void = () => undefined,
): RunningSearch {
  signal.throwIfAborted();
  const child = startProcess({
    program,
    args,
    env: env['SYSTEMROOT'] === undefined ? {} : { SYSTEMROOT: env['SYSTEMROOT'] },
  });
  child.write(undefined);
  const stop = (): void => child.kill('SIGKILL');
  const release = (): void => signal.removeEventListener('abort', stop);
  signal.addEventListener('abort', stop, { once: true });
  void child.ended.then(release, release);
  let text = '';
  const lines = createInterface({ input: child.stderr });
  lines.on('line', line => {
    if (line.startsWith('rg: DEBUG|')) onDebug(line);
    else if (text.length < STDERR_CHARS) text += `${line}\n`;
  });
  return { child, errors: new Promise(resolve => lines.once('close', () => resolve(text.trim()))) };
}

/** @throws AppError REGEX_INVALID, REGEX_TOO_COMPLEX; the reason of `signal` */
async function waitForExit({ child, errors }: RunningSearch, signal: AbortSignal): Promise<void> {
  let code: number | null;
  try {
    code = await child.ended;
  } catch (error) {
    signal.throwIfAborted();
    throw new Error(`Cannot run ripgrep: ${messageOf(error)}`, { cause: error });
  }
  const message = await errors;
  signal.throwIfAborted();
  // Unreadable files cause exit code 2 too, but without output.
  if (code !== 2 || message === '') return;
  const reason = message
    .replace(/^rg: /, '')
    .replace(/\n\nConsider enabling[^]*$/, '')
    .replace(/\s+/g, ' ');
  if (/exceeds size limit|size limit of/.test(message)) throw new AppError('REGEX_TOO_COMPLEX', { reason });
  throw new AppError('REGEX_INVALID', { reason });
}

/** Buffers the hits of a file until it is known to be text: ripgrep reports a NUL byte only after the last hit. */
class HitBuffer {
  readonly #paths: FolderPaths;
  readonly #request: SearchRequest;
  readonly #onHit: OnHit;
  #file: Buffer | undefined;
  #hits: LineHit[] = [];
  #count = 0;
  #isKnown = false;
  #isBinary = false;

  constructor(request: SearchRequest, onHit: OnHit) {
    this.#request = request;
    this.#onHit = onHit;
    this.#paths = new FolderPaths(request.folders);
  }

  isWanted(path: Buffer): boolean {
    const place = this.#paths.read(path);
    return place !== undefined && (this.#request.isWanted?.(place.folder, place.path) ?? true);
  }

  async add(record: RipgrepRecord): Promise<boolean> {
    if (record.kind === 'binary') {
      this.#forget(undefined);
      return true;
    }
    if (this.#file === undefined || !this.#file.equals(record.path)) {
      if (!(await this.flush())) return false;
      this.#forget(record.path);
    }
    const place = this.#paths.read(record.path);
    if (place === undefined || this.#isBinary) return true;
    this.#count += 1;
    this.#hits.push({ ...place, ...record.hit });
    return this.#hits.length < MAX_BUFFERED_HITS || this.flush();
  }

  /** Passes the buffered hits on. If ripgrep may not have read the whole file, first checks it for NUL bytes. */
  async flush(): Promise<boolean> {
    const { maxPerFile = Infinity } = this.#request;
    if (this.#hits.length === 0 || this.#file === undefined) return true;
    if (!this.#isKnown && (this.#hits.length >= MAX_BUFFERED_HITS || this.#count >= maxPerFile)) {
      this.#isBinary = await containsNul(this.#file);
      this.#isKnown = true;
    }
    const hits = this.#hits;
    this.#hits = [];
    if (this.#isBinary) return true;
    for (const hit of hits) {
      const answer = this.#onHit(hit);
      if (!(typeof answer === 'boolean' ? answer : await answer)) return false;
    }
    return true;
  }

  #forget(next: Buffer | undefined): void {
    this.#file = next === undefined ? undefined : Buffer.from(next);
    this.#hits = [];
    this.#count = 0;
    this.#isKnown = false;
    this.#isBinary = false;
  }
}
