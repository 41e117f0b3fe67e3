/** Compares Pluto programs with C (`cc -O2`) and hand-written JavaScript of the same algorithms, by CPU time of the program alone. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { median, type Row } from '../row.ts';

const ROUNDS = 3;
/** The largest time, in times of the other program. */
const LIMITS = {
  c: { fib: 2.5, loops: 2.5, sieve: 3, sort: 3, matrix: 3, nbody: 2 },
  JavaScript: { dispatch: 1.2, traits: 1.5, closures: 1.2, strings: 1.5, map: 1.5, tasks: 3 },
} as const;
/** Numbers of tasks that exchange messages, and the largest growth of the time from the first to the last; linear growth is 4. */
const TASKS = [25_000, 50_000, 100_000];
const MAX_GROWTH = 6;
/** CPU time of `run` for a program that prints one line. */
const MAX_HELLO_MS = 150;

/** A module that prints the CPU time of its process to stderr at the end. Threads import it too. */
const PRINT_CPU_TIME = `data:text/javascript,${encodeURIComponent(
  "import { isMainThread } from 'node:worker_threads'; if (isMainThread) process.on('exit', () => { const { user, system } = process.cpuUsage(); process.stderr.write(String((user + system) / 1000)); });",
)}`;

const runner = fileURLToPath(new URL('run-program.ts', import.meta.url));
const cli = fileURLToPath(new URL('../../../dist/cli.js', import.meta.url));

export async function plutoPrograms(): Promise<readonly Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'pluto-bench-'));
  try {
    return [
      ...Object.entries(LIMITS.c).map(([name, limit]) => rowAgainstC(folder, name, limit)),
      ...Object.entries(LIMITS.JavaScript).map(([name, limit]) => rowAgainstJavaScript(name, limit)),
      growthRow(folder),
      helloRow(folder),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function rowAgainstC(folder: string, name: string, limit: number): Row {
  const binary = join(folder, name);
  const source = fileURLToPath(new URL(`programs/${name}.c`, import.meta.url));
  run('cc', ['-O2', '-o', binary, source, '-lm']);
  const { pluto, c = 0, js } = timesOf(name, binary);
  return {
    name: `pluto program ${name}, against C`,
    unit: 'ratio',
    value: pluto / c,
    runs: ROUNDS,
    limit,
    detail: `${pluto.toFixed(0)} ms, C ${c.toFixed(0)} ms, JavaScript ${js.toFixed(0)} ms (${(pluto / js).toFixed(1)} times)`,
  };
}

function rowAgainstJavaScript(name: string, limit: number): Row {
  const { pluto, js } = timesOf(name);
  return {
    name: `pluto program ${name}, against JavaScript`,
    unit: 'ratio',
    value: pluto / js,
    runs: ROUNDS,
    limit,
    detail: `${pluto.toFixed(0)} ms, JavaScript ${js.toFixed(0)} ms`,
  };
}

/** Median times in interleaved rounds. All programs must print the same. */
function timesOf(
  name: string,
  binary?: string,
): { readonly pluto: number; readonly c: number | undefined; readonly js: number } {
  const times = { pluto: [] as number[], c: [] as number[], js: [] as number[] };
  for (let round = 0; round < ROUNDS; round += 1) {
    const c = binary === undefined ? undefined : run(binary, []);
    const js = run(process.execPath, [runner, 'javascript', name]);
    const pluto = run(process.execPath, [runner, 'pluto', name]);
    for (const other of [c ?? js, js])
      if (other.output !== pluto.output) throw new Error(`${name}: ${other.output} is not ${pluto.output}`);
    times.pluto.push(pluto.ms);
    if (c !== undefined) times.c.push(c.ms);
    times.js.push(js.ms);
  }
  return {
    pluto: median(times.pluto),
    c: binary === undefined ? undefined : median(times.c),
    js: median(times.js),
  };
}

/** Compares the times of one program with growing numbers of tasks. */
function growthRow(folder: string): Row {
  const source = readFileSync(new URL('programs/tasks.pt', import.meta.url), 'utf8');
  const times = TASKS.map((count): number[] => {
    writeFileSync(join(folder, `tasks${count}.pt`), source.replaceAll(String(TASKS.at(-1)), String(count)));
    return [];
  });
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [index, count] of TASKS.entries()) {
      const { output, ms } = run(process.execPath, [runner, 'pluto', `tasks${count}`, folder]);
      if (!output.endsWith(`\n${count}`)) throw new Error(`${count} tasks printed ${output}`);
      times[index]?.push(ms);
    }
  const medians = times.map(median);
  return {
    name: `pluto program of ${TASKS.at(-1)} tasks, against ${TASKS[0]}`,
    unit: 'ratio',
    value: (medians.at(-1) ?? 0) / (medians[0] ?? 0),
    runs: ROUNDS,
    limit: MAX_GROWTH,
    detail: medians.map((ms, index) => `${TASKS[index]} tasks ${ms.toFixed(0)} ms`).join(', '),
  };
}

function helloRow(folder: string): Row {
  if (!existsSync(cli)) throw new Error('build first: npm run build');
  const file = join(folder, 'hello.pt');
  writeFileSync(file, 'fn main() { print("hello") }\n');
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const { output, ms } = run(process.execPath, ['--import', PRINT_CPU_TIME, cli, 'pluto', 'run', file]);
    if (output !== 'hello') throw new Error(`hello world printed ${output}`);
    times.push(ms);
  }
  return {
    name: 'pluto run of hello world',
    unit: 'ms',
    value: median(times),
    runs: ROUNDS,
    limit: MAX_HELLO_MS,
    detail: 'CPU time of the process',
  };
}

function run(file: string, args: readonly string[]): { readonly output: string; readonly ms: number } {
  const { status, stdout, stderr } = spawnSync(file, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${file} failed: ${stderr}`);
  return { output: stdout.trim(), ms: Number(stderr) };
}
