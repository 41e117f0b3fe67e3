/** Compares Pluto programs with C (`cc -O2`) and hand-written JavaScript of the same algorithms, by CPU time of the program alone. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { median, type Row } from '../row.ts';

const ROUNDS = 3;
/** The largest time, in times of C. */
const LIMITS = { fib: 2.5, loops: 2.5, sieve: 3, sort: 3, matrix: 3 } as const;

const runner = fileURLToPath(new URL('run-program.ts', import.meta.url));

export async function plutoPrograms(): Promise<readonly Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'pluto-bench-'));
  try {
    return Object.entries(LIMITS).map(([name, limit]) => rowOf(folder, name, limit));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function rowOf(folder: string, name: string, limit: number): Row {
  const binary = join(folder, name);
  const source = fileURLToPath(new URL(`programs/${name}.c`, import.meta.url));
  run('cc', ['-O2', '-o', binary, source]);
  const times = { pluto: [] as number[], c: [] as number[], js: [] as number[] };
  for (let round = 0; round < ROUNDS; round += 1) {
    const c = run(binary, []);
    const js = run(process.execPath, [runner, 'javascript', name]);
    const pluto = run(process.execPath, [runner, 'pluto', name]);
    for (const other of [c, js])
      if (other.output !== pluto.output) throw new Error(`${name}: ${other.output} is not ${pluto.output}`);
    times.pluto.push(pluto.ms);
    times.c.push(c.ms);
    times.js.push(js.ms);
  }
  const [pluto, c, js] = [times.pluto, times.c, times.js].map(median) as [number, number, number];
  return {
    name: `pluto program ${name}, against C`,
    unit: 'ratio',
    value: pluto / c,
    runs: ROUNDS,
    limit,
    detail: `${pluto.toFixed(0)} ms, C ${c.toFixed(0)} ms, JavaScript ${js.toFixed(0)} ms (${(pluto / js).toFixed(1)} times)`,
  };
}

function run(file: string, args: readonly string[]): { readonly output: string; readonly ms: number } {
  const { status, stdout, stderr } = spawnSync(file, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${file} failed: ${stderr}`);
  return { output: stdout.trim(), ms: Number(stderr) };
}
