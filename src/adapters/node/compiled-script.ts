import { basename, dirname, join } from 'node:path';
import { createRequire } from 'node:module';
import { compiledFolder } from './compile-cache.ts';

/**
 * Processes that keep the compiled code of a script, one after the other. Each adds the functions that it called and that the earlier ones did
 * not.
 */
const KEEPERS = 3;
/** Bytes before the code: the number of processes that have kept it, and zeros, because V8 copies code that is not aligned. */
const HEAD_BYTES = 8;
/** Age after which the code of another version is deleted: a month. */
const OLD_MS = 30 * 24 * 60 * 60 * 1000;

/** A script that has run. */
export interface CompiledScript {
  readonly exports: unknown;
  /** Keeps its compiled code for later processes. Call it when the work is done. */
  keep(): void;
}

interface KeptCode {
  readonly keepers: number;
  readonly code: Buffer;
}

/**
 * Loads a CommonJS file like `require`, with the code that earlier processes compiled. Node's own cache has only what is compiled when a file
 * is loaded. To compile all functions again when they are first called is a third of the time of a short Pluto program.
 *
 * @param file absolute path
 * @param version of this program, by which files of one size and date differ
 */
export function loadCompiled(
  file: string,
  version: string,
  env: Readonly<Record<string, string | undefined>>,
): CompiledScript {
  const { readFileSync, statSync } = process.getBuiltinModule('node:fs');
  const { Script } = process.getBuiltinModule('node:vm');
  const { size, mtimeMs } = statSync(file);
  const name = [basename(file), version, size, mtimeMs, process.version, process.arch].join('-');
  const path = join(compiledFolder(env), name);
  const kept = readKept(path);
  const head = '(function (exports, require, module, __filename, __dirname) {';
  const script = new Script(`${head}${readFileSync(file, 'utf8')}\n})`, {
    filename: file,
    columnOffset: -head.length,
    ...(kept === undefined ? {} : { cachedData: kept.code }),
  });
  const module = { exports: {} };
  // The text above is that of a function with these parameters.
  const run = script.runInThisContext() as (...args: readonly unknown[]) => void;
  run(module.exports, createRequire(file), module, file, dirname(file));
  const keepers = script.cachedDataRejected === false ? (kept?.keepers ?? 0) : 0;
  return {
    exports: module.exports,
    keep() {
      if (keepers < KEEPERS)
        writeKept(path, `${basename(file)}-`, { keepers: keepers + 1, code: script.createCachedData() });
    },
  };
}

/** V8 trusts the code, so that the file has it twice: to compare both is faster than to compute a checksum. */
function readKept(path: string): KeptCode | undefined {
  try {
    const bytes = process.getBuiltinModule('node:fs').readFileSync(path);
    const end = HEAD_BYTES + (bytes.length - HEAD_BYTES) / 2;
    const code = bytes.subarray(HEAD_BYTES, end);
    return bytes.length > HEAD_BYTES && code.equals(bytes.subarray(end)) ? { keepers: bytes[0] ?? 0, code } : undefined;
  } catch {
    // It is missing, unreadable or of an odd length. The script is compiled.
    return undefined;
  }
}

/** @param prefix of the names of the files of this script */
function writeKept(path: string, prefix: string, { keepers, code }: KeptCode): void {
  const { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } = process.getBuiltinModule('node:fs');
  const folder = dirname(path);
  const temporary = `${path}.${process.pid}.tmp`;
  const head = Buffer.alloc(HEAD_BYTES);
  head[0] = keepers;
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(temporary, Buffer.concat([head, code, code]), { mode: 0o600 });
    renameSync(temporary, path);
    for (const name of keepers === 1 ? readdirSync(folder) : []) {
      const other = join(folder, name);
      if (name.startsWith(prefix) && Date.now() - statSync(other).mtimeMs > OLD_MS) rmSync(other);
    }
  } catch {
    // A folder that cannot be written is ignored, as Node ignores it. What was written of the file is as old as any other one after a month.
  }
}
