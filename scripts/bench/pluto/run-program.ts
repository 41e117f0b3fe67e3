/** Runs one benchmark program in this process: `run-program.ts LANGUAGE NAME [FOLDER]`. Prints its output, and its CPU time in milliseconds to stderr. */
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { compileFunction } from 'node:vm';
import { createNodeFileSystem } from '../../../src/adapters/fs/node-file-system.ts';
import { readOpenSync } from '../../../src/adapters/fs/read-open.ts';
import { nodeHasher } from '../../../src/adapters/node/hasher.ts';
import { nodeRandom } from '../../../src/adapters/node/random.ts';
import { heapMegabytes } from '../../../src/pluto/program/host/memory-limit.ts';
import { createProgramHost } from '../../../src/pluto/program/host/program-host.ts';
import { type MakeProgram, runProgram } from '../../../src/pluto/program/runtime/run-program.ts';
import { PlutoSession } from '../../../src/pluto/session/pluto-session.ts';
import { compileModule } from '../../../src/pluto/session/programs/compile-module.ts';
import { processCpuTime } from '../cpu-time.ts';
import { byHand } from './programs/by-hand.ts';

const { signal } = new AbortController();
const [, , language, name = '', folder = fileURLToPath(new URL('programs', import.meta.url))] = process.argv;

async function pluto(name: string): Promise<() => string> {
  const ports = {
    files: createNodeFileSystem(folder, nodeHasher, readOpenSync),
    hasher: nodeHasher,
    random: nodeRandom,
  };
  const session = await PlutoSession.open(ports, { tool: { name: 'bench', version: '1' }, isReadOnly: true }, signal);
  const compiled = await compileModule(session, `${name}.pt`, 'run', signal);
  if (compiled.kind === 'refused') throw new Error(compiled.findings[0]?.message);
  return () => {
    let text = '';
    const host = createProgramHost({
      output: { write: (_, bytes) => void (text += bytes) },
      input: new Uint8Array(),
      environment: {},
      reach: { folder, temporary: tmpdir(), isUnlimited: true },
      heapMegabytes: heapMegabytes(),
      createIgnored: undefined,
    });
    runProgram(compileFunction(compiled.program, ['$rt']) as MakeProgram, host);
    return text.trimEnd();
  };
}

const run = language === 'pluto' ? await pluto(name) : byHand[name];
if (run === undefined) throw new Error(`no program ${name}`);
const before = processCpuTime();
const output = await run();
const ms = processCpuTime() - before;
console.log(output);
process.stderr.write(String(ms));
