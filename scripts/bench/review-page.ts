import type { ReviewRow } from '../../src/protocol/review.ts';
import { openReview, type ReviewPage } from '../review-page/review-page.ts';
import { launchBrowser } from '../vscode/launch-browser.ts';
import { sampleRows } from '../review-page/sample-rows.ts';
import { gameOfScale, gamePlace } from './shapes/game-place.ts';
import { dark } from '../review-page/themes.ts';
import { median, type Row } from './row.ts';

const CHANGES = 10_000;
const KEYSTROKES = 20;
const OPENINGS = 5;

/** The browser APIs that the page code uses; this file is compiled without the DOM. */
interface PageScope {
  readonly document: {
    querySelector(selector: string): { value: string; dispatchEvent(event: unknown): void } | null;
    createElement(tag: string): PlainElement;
    readonly body: PlainElement;
  };
  readonly Event: new (type: string, options: object) => unknown;
  postMessage(message: unknown): void;
  snapshot?: unknown;
  requestAnimationFrame(run: () => void): void;
}
interface PlainElement {
  textContent: string;
  className: string;
  append(child: PlainElement): void;
  replaceChildren(...children: PlainElement[]): void;
}

const manyRows = (): readonly ReviewRow[] =>
  Array.from({ length: CHANGES }, (_, index) => ({
    ...(sampleRows[index % sampleRows.length] ?? sampleRows[0]),
    id: index.toString(16).padStart(32, '0'),
    path: `ServerScriptService/Area${Math.floor(index / 50)}/Script${index}`,
  })) as readonly ReviewRow[];

/** Rows with the paths and classes of a generated place: many of one name, and paths of 200 levels. */
function realRows(): readonly ReviewRow[] {
  const rows: ReviewRow[] = [];
  const open = gamePlace(gameOfScale(100)).roots.map(instance => ({ instance, path: instance.name }));
  for (let next = open.pop(); next !== undefined && rows.length < CHANGES; next = open.pop()) {
    const { instance, path } = next;
    const sample = sampleRows[rows.length % sampleRows.length];
    if (sample === undefined) throw new Error('no sample rows');
    const id = rows.length.toString(16).padStart(32, '0');
    rows.push({ ...sample, id, path, className: instance.className });
    for (const child of instance.children) open.push({ instance: child, path: `${path}/${child.name}` });
  }
  return rows;
}

/** How long a page took, in milliseconds. */
interface PageTime {
  readonly wallMs: number;
  /** CPU time of its main thread, which does not depend on other load on the machine. */
  readonly cpuMs: number;
}

/** CPU time of the main thread of a page in milliseconds, since `start`. */
async function watchCpu(page: ReviewPage['page']): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const threadTime = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics');
    const seconds = metrics.find(({ name }) => name === 'ThreadTime')?.value;
    if (seconds === undefined) throw new Error('the browser does not report the CPU time of the page');
    return 1000 * seconds;
  };
  const before = await threadTime();
  return async () => (await threadTime()) - before;
}

/** From the message to the end of the frame with the first rows. Includes copying the message, but not sending it to the page. */
async function firstRows(review: ReviewPage): Promise<PageTime> {
  const { page } = review;
  // A debugger call with an argument of that size would block the page long after it returns.
  await page.evaluate(sent => {
    (globalThis as unknown as PageScope).snapshot = sent;
  }, review.snapshot());
  await page.evaluate(async () => {
    for (let quiet = 0, rounds = 0; quiet < 10 && rounds < 300; rounds += 1) {
      const began = performance.now();
      await new Promise(resolve => setTimeout(resolve, 10));
      quiet = performance.now() - began < 20 ? quiet + 1 : 0;
    }
  });
  const cpuSince = await watchCpu(page);
  const wallMs = await page.evaluate(async () => {
    const scope = globalThis as unknown as PageScope;
    const frame = (): Promise<void> => new Promise(resolve => scope.requestAnimationFrame(() => resolve()));
    const began = performance.now();
    scope.postMessage({ kind: 'snapshot', snapshot: scope.snapshot });
    while (scope.document.querySelector('.row.change') === null) await frame();
    await frame();
    return performance.now() - began;
  });
  return { wallMs, cpuMs: await cpuSince() };
}

function openingRow(name: string, times: readonly PageTime[], changes: number): Row {
  const cpuMs = median(times.map(time => time.cpuMs));
  return {
    name,
    unit: 'ms',
    value: median(times.map(time => time.wallMs)),
    runs: times.length,
    limit: 300,
    detail: `${changes} changes; CPU time of the page ${cpuMs.toFixed(0)} ms`,
  };
}

/** Compares a review of 10,000 changes in Chromium with a plain virtual list of the same number of strings in the same page. */
export async function reviewPage(): Promise<readonly Row[]> {
  const browser = await launchBrowser();
  try {
    const rows = manyRows();
    const openings: PageTime[] = [];
    for (let opening = 1; opening < OPENINGS; opening += 1) {
      await using other = await openReview(browser, rows, { theme: dark, hold: true });
      openings.push(await firstRows(other));
    }
    const realOpenings: PageTime[] = [];
    const real = realRows();
    for (let opening = 0; opening < OPENINGS; opening += 1) {
      await using other = await openReview(browser, real, { theme: dark, hold: true });
      realOpenings.push(await firstRows(other));
    }
    await using review = await openReview(browser, rows, { theme: dark, hold: true });
    openings.push(await firstRows(review));
    const words = Array.from({ length: KEYSTROKES }, (_, index) => `script${index}`.slice(0, 1 + (index % 8)));
    const ours = await review.page.evaluate(async typed => {
      const scope = globalThis as unknown as PageScope;
      const frame = (): Promise<void> => new Promise(resolve => scope.requestAnimationFrame(() => resolve()));
      // From the keystroke to the end of the next frame.
      const painted = async (): Promise<void> => {
        await frame();
        await new Promise(resolve => setTimeout(resolve, 0));
      };
      const input = scope.document.querySelector('input[type="search"]');
      const times: number[] = [];
      for (const word of typed) {
        await painted();
        const began = performance.now();
        if (input !== null) {
          input.value = word;
          input.dispatchEvent(new scope.Event('input', { bubbles: true }));
        }
        await painted();
        times.push(performance.now() - began);
      }
      return times;
    }, words);
    const plain = await review.page.evaluate(
      async ({ typed, texts }) => {
        const scope = globalThis as unknown as PageScope;
        const frame = (): Promise<void> => new Promise(resolve => scope.requestAnimationFrame(() => resolve()));
        const painted = async (): Promise<void> => {
          await frame();
          await new Promise(resolve => setTimeout(resolve, 0));
        };
        const list = scope.document.createElement('div');
        scope.document.body.replaceChildren(list);
        const times: number[] = [];
        for (const word of typed) {
          await painted();
          const began = performance.now();
          const shown = texts.filter(text => text.toLowerCase().includes(word)).slice(0, 40);
          list.replaceChildren(
            ...shown.map(text => {
              const line = scope.document.createElement('div');
              line.textContent = text;
              return line;
            }),
          );
          await painted();
          times.push(performance.now() - began);
        }
        return times;
      },
      { typed: words, texts: rows.map(row => row.path) },
    );
    const [filter, list] = [median(ours), median(plain)];
    const runs = KEYSTROKES;
    return [
      openingRow('review: message to first rows', openings, CHANGES),
      openingRow('review: message to first rows, of a real place', realOpenings, real.length),
      {
        name: 'review: keystroke in the filter to paint',
        unit: 'ms',
        value: filter,
        runs,
        limit: 50,
        detail: `${CHANGES} changes`,
      },
      {
        name: 'review: filter against a plain list',
        unit: 'ratio',
        value: filter / list,
        runs,
        limit: 3,
        detail: `plain virtual list of ${CHANGES} strings in the same page: ${list.toFixed(1)} ms`,
      },
    ];
  } finally {
    await browser.close();
  }
}
