import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { writeBinaryModel } from '../../../src/roblox/formats/rbxm/write.ts';
import { generateProject, reflection } from '../project/generated-project.ts';
import { generatePlace } from '../project/place-read.ts';
import type { Row } from '../row.ts';
import type { OwnTurn } from './record-turns.ts';
import type { Watched } from './probe/questions.ts';
import { type ProbedVsCode, startProbe } from './start-probe.ts';
import { besides, once, ownRow, quiet, row, watch } from './watch.ts';

const SCRIPTS = 10_000;
const CHANGED = 2_000;
const ROUNDS = 5;
/** The rest of the first ten seconds of a window. */
const FIRST_MS = 8_000;
/** Time for VS Code's own startup work. */
const START_MS = 5_000;

/** Measures how long a real extension host is blocked at a time, with the extension and, for comparison, without it. */
export async function extensionHost(): Promise<readonly Row[]> {
  const dir = mkdtempSync(join(tmpdir(), 'atlas-turns-'));
  using _removal = {
    [Symbol.dispose]: () => rmSync(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }),
  };
  const alone = await withoutExtension(join(dir, 'a'));
  const starts: (readonly OwnTurn[])[] = [];
  for (const name of ['b', 'c', 'd', 'e']) starts.push(await start(join(dir, name)));
  return [
    ...(await withExtension(join(dir, 'f'), alone)),
    ownRow('the first ten seconds of a window, with a cold load of 10,000 scripts', starts),
  ];
}

/** Opens a window with a profiler. Resolves with the turns of its first ten seconds. */
async function start(dir: string): Promise<readonly OwnTurn[]> {
  using project = generateProject(SCRIPTS);
  const sentinel = join(project.folder, 'src', 'sentinel.json');
  writeFileSync(sentinel, '{');
  await using vscode = await startProbe({ dir, folder: project.folder, isWithExtension: true });
  await vscode.ask('beginOwn', {});
  await vscode.ask('problem', { path: sentinel, isThere: true });
  await delay(FIRST_MS);
  return await vscode.ask('endOwn', {});
}

interface Control {
  /** VS Code's own start. */
  readonly start: Watched;
  /** Its own work in a quiet window, such as looking for ports. */
  readonly idle: Watched;
  /** Its first preview of a Markdown file. */
  readonly preview: Watched;
  readonly saved: readonly Watched[];
  readonly changed: readonly Watched[];
}

async function withoutExtension(dir: string): Promise<Control> {
  using project = generateProject(SCRIPTS);
  await using vscode = await startProbe({ dir, folder: project.folder, isWithExtension: false });
  const start = await watch(vscode, () => delay(START_MS));
  await quiet(vscode);
  const idle = await watch(vscode, () => delay(START_MS));
  const saved: Watched[] = [];
  const changed: Watched[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    saved.push(await watch(vscode, async () => void project.change(1, `save ${round}`)));
    changed.push(await watch(vscode, async () => void project.change(CHANGED, `round ${round}`)));
  }
  const page = join(dir, 'page.md');
  writeFileSync(page, '# A page\n');
  const preview = await watch(vscode, () => vscode.ask('preview', { path: page }));
  return { start, idle, preview, saved, changed };
}

async function withExtension(dir: string, alone: Control): Promise<readonly Row[]> {
  using project = generateProject(SCRIPTS);
  const sentinel = join(project.folder, 'src', 'sentinel.json');
  // The Problems view shows whether the project has read it.
  const breakIt = (isBroken: boolean): void => writeFileSync(sentinel, isBroken ? '{' : '{}');
  const place = writeBinaryModel(generatePlace(), reflection);
  if (!place.ok) throw new Error(place.error);
  const input = join(dir, 'place.rbxl');
  breakIt(true);
  await using vscode = await startProbe({ dir, folder: project.folder, isWithExtension: true });
  const seen = (isThere: boolean): Promise<void> => vscode.ask('problem', { path: sentinel, isThere });
  const start = await watch(vscode, () => seen(true));
  await quiet(vscode);
  const loads: Watched[] = [];
  const saves: Watched[] = [];
  const batches: Watched[] = [];
  const plans: Watched[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    loads.push(
      await watch(vscode, async () => {
        // The setting takes effect when the bridge restarts, which reads the project again.
        const value = round % 2 === 0 ? 'rg' : '';
        await vscode.ask('readAgain', { path: sentinel, name: 'atlas.docs.ripgrepPath', value });
      }),
    );
    for (const isBroken of [false, true])
      saves.push(
        await watch(vscode, async () => {
          project.change(1, `save of round ${round}`);
          breakIt(isBroken);
          await seen(isBroken);
        }),
      );
    for (const isBroken of [false, true])
      batches.push(
        await watch(vscode, async () => {
          project.change(CHANGED, `${isBroken} of round ${round}`);
          breakIt(isBroken);
          await seen(isBroken);
        }),
      );
  }
  // A project with errors is not written.
  breakIt(false);
  await seen(false);
  writeFileSync(input, place.value);
  const first = await watch(vscode, () => planSyncback(vscode, input));
  for (let round = 0; round < ROUNDS; round += 1) plans.push(await watch(vscode, () => planSyncback(vscode, input)));
  return [
    row('a cold load of 10,000 scripts', loads, besides(alone.idle)),
    row('one file saved', saves, besides(...alone.saved)),
    row('2,000 files changed at once', batches, besides(...alone.changed)),
    row(
      `planning a syncback from a place of ${(place.value.length / 1e6).toFixed(0)} MB, the plan shown`,
      plans,
      'in a separate process',
    ),
    once('the start of the extension and the cold load above', start, besides(alone.start)),
    once('the first plan in a window', first, `${besides(alone.preview)} for its first preview of Markdown`),
  ];
}

/** Runs a syncback like a user, and answers the confirmation with no. */
async function planSyncback(vscode: ProbedVsCode, input: string): Promise<void> {
  const running = vscode.ask('command', { id: 'atlas.syncbackFromPlace', args: [{ input }] });
  const question = vscode.page.getByRole('dialog', { name: /(?:Write|Delete) .+\?/ });
  await question.getByRole('button', { name: 'Cancel' }).click({ timeout: 120_000 });
  const answer = (await running) as { readonly outcome?: unknown };
  if (answer.outcome !== 'refused') throw new Error(`the syncback ended with ${JSON.stringify(answer)}`);
}
