import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { build, type BuildOptions } from 'esbuild';
import type { Browser, Frame, Page } from 'playwright-core';
import { reviewHtml } from '../../src/review/vscode/review-html.ts';
import { restoreStrings } from '../../src/review/restore-strings.ts';
import { reviewStrings } from '../../src/review/review-strings.ts';
import { plutoReviewStrings } from '../../src/review/review-strings-pluto.ts';
import { ReviewIntent, type ReviewRow, type ReviewSnapshot, type ToWebview } from '../../src/protocol/review.ts';
import { plainL10n } from './plain-l10n.ts';
import type { Theme } from './themes.ts';

/** The build script is JavaScript, so its type is declared here. */
const { buildOptions } = (await import(new URL('../../esbuild.config.mjs', import.meta.url).href)) as {
  readonly buildOptions: (release: boolean) => Readonly<Record<'webview' | 'style', BuildOptions>>;
};

const origin = 'http://review.test';

/** The DOM that the tests use in the page; tests are compiled without the DOM. */
interface PageDocument {
  readonly body: { className: string };
  readonly documentElement: { readonly style: { setProperty(name: string, value: string): void } };
}

const englishStrings = {
  studio: reviewStrings(plainL10n, 'en'),
  pluto: plutoReviewStrings(plainL10n, 'en'),
  restoredDisk: restoreStrings(plainL10n, 'en', 'disk'),
  restoredStudio: restoreStrings(plainL10n, 'en', 'studio'),
};

/** The review page with a host that replies like the extension: a snapshot after each choice, `failed` for a refused one. */
export interface ReviewPage extends AsyncDisposable {
  readonly page: Page;
  /** All messages of the page, in order. */
  readonly intents: readonly ReviewIntent[];
  /** CSP violations, exceptions and console messages. */
  readonly complaints: readonly string[];
  snapshot(): ReviewSnapshot;
  /** Sends a changed snapshot with the next revision. */
  update(change: Partial<ReviewSnapshot>): Promise<void>;
  send(message: ToWebview): Promise<void>;
  /** Resolves once an intent of `kind` was sent after the first `seen` intents. */
  intent<K extends ReviewIntent['kind']>(kind: K, seen?: number): Promise<Extract<ReviewIntent, { kind: K }>>;
  /** Resolves once `count` intents of `kind` were sent, with all of them. */
  sent<K extends ReviewIntent['kind']>(
    kind: K,
    count: number,
    seen?: number,
  ): Promise<readonly Extract<ReviewIntent, { kind: K }>[]>;
}

let bundles: Promise<{ readonly script: string; readonly style: string }> | undefined;

async function bundle(): Promise<{ readonly script: string; readonly style: string }> {
  const { webview, style } = buildOptions(true);
  const outputs = await Promise.all(
    [webview, style].map(async options => (await build({ ...options, write: false })).outputFiles ?? []),
  );
  const files = outputs.flat();
  const text = (name: string): string => {
    const file = files.find(({ path }) => path.endsWith(name));
    if (file === undefined) throw new Error(`the build has no ${name}`);
    return file.text;
  };
  return { script: text('review.js'), style: text('review.css') };
}

export async function openReview(
  browser: Browser,
  rows: readonly ReviewRow[],
  options: {
    readonly theme: Theme;
    readonly width?: number;
    readonly height?: number;
    readonly forcedColors?: boolean;
    readonly hold?: boolean;
    readonly paths?: ReviewSnapshot['paths'];
    readonly sides?: ReviewSnapshot['sides'];
  },
): Promise<ReviewPage> {
  bundles ??= bundle();
  const { script, style } = await bundles;
  const context = await browser.newContext({
    viewport: { width: options.width ?? 1000, height: options.height ?? 760 },
    forcedColors: options.forcedColors === true ? 'active' : 'none',
  });
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  const intents: ReviewIntent[] = [];
  const complaints: string[] = [];
  const waiting = new Set<() => void>();
  let snapshot: ReviewSnapshot = {
    revision: 1,
    runId: 'run-1',
    sides: options.sides ?? 'studio',
    placeName: 'Obby',
    requestedBy: 'Copilot',
    phase: 'deciding',
    rows,
    paths: options.paths ?? {},
    warnings: [],
    total: rows.length,
    comparing: false,
    undecided: rows.filter(row => row.choice === null).length,
    summary: '2 instances will be created in Studio, 2 files will be replaced on disk by Studio.',
    outcome: null,
  };
  const send = (message: ToWebview): Promise<void> =>
    page.evaluate(
      posted => (globalThis as unknown as { postMessage(message: unknown): void }).postMessage(posted),
      message,
    );
  const update = async (change: Partial<ReviewSnapshot>): Promise<void> => {
    const next = { ...snapshot, ...change, revision: snapshot.revision + 1 };
    snapshot = { ...next, total: next.rows.length, undecided: next.rows.filter(row => row.choice === null).length };
    await send({ kind: 'snapshot', snapshot });
  };
  const choose = async (ids: ReadonlySet<string>, choice: ReviewRow['choice']): Promise<void> => {
    const { revision: base } = snapshot;
    const decided = { choice, personMerge: null, follows: null, isReopened: false, isRestored: false };
    const next = snapshot.rows.map(row => (ids.has(row.id) ? { ...row, ...decided } : row));
    const undecided = next.filter(row => row.choice === null).length;
    snapshot = { ...snapshot, rows: next, undecided, revision: base + 1 };
    const { rows: _rows, paths: _paths, warnings: _warnings, ...status } = snapshot;
    await send({
      kind: 'delta',
      base,
      status,
      rows: Array.from(ids, id => ({ id, reason: null, ...decided })),
    });
  };
  const answer = async (intent: ReviewIntent): Promise<void> => {
    if (intent.kind === 'ready' && options.hold !== true) await send({ kind: 'snapshot', snapshot });
    if (intent.kind === 'choose') await choose(new Set(intent.ids), intent.choice);
  };

  page.on('pageerror', error => complaints.push(error.message));
  page.on('console', message => complaints.push(message.text()));
  await page.exposeFunction('atlasPost', (raw: unknown) => {
    const intent = ReviewIntent.parse(raw);
    intents.push(intent);
    for (const wake of waiting) wake();
    // A page that closes needs no answer.
    answer(intent).catch((error: unknown) => {
      if (!page.isClosed()) complaints.push(String(error));
    });
  });
  await page.addInitScript(() => {
    const scope = globalThis as unknown as {
      atlasPost(raw: unknown): void;
      acquireVsCodeApi: unknown;
      sessionStorage: { getItem(key: string): string | null; setItem(key: string, value: string): void };
    };
    let acquired = false;
    scope.acquireVsCodeApi = () => {
      if (acquired) throw new Error('an instance of the VS Code API has already been acquired');
      acquired = true;
      return {
        postMessage: (raw: unknown) => scope.atlasPost(raw),
        getState: () => JSON.parse(scope.sessionStorage.getItem('state') ?? 'null') ?? undefined,
        setState: (state: unknown) => scope.sessionStorage.setItem('state', JSON.stringify(state)),
      };
    };
  });
  const webview = { cspSource: origin, asWebviewUri: <T>(uri: T) => uri };
  const at = (name: string) => ({ toString: () => `${origin}/${name}` }) as never;
  const html = reviewHtml(webview, { script: at('review.js'), style: at('review.css') }, englishStrings, 'here');
  const bodies: Readonly<Record<string, readonly [type: string, body: string]>> = {
    '/': ['text/html', html],
    '/review.js': ['text/javascript', script],
    '/review.css': ['text/css', style],
  };
  await page.route(`${origin}/**`, route => {
    const [contentType, body] = bodies[new URL(route.request().url()).pathname] ?? ['text/plain', ''];
    return route.fulfill({ contentType, body });
  });
  await page.goto(`${origin}/`);
  await page.evaluate(({ colors, bodyClass }) => {
    const { body, documentElement } = (globalThis as unknown as { document: PageDocument }).document;
    body.className = bodyClass;
    for (const [name, value] of Object.entries(colors)) documentElement.style.setProperty(name, value);
  }, options.theme);

  async function sent<K extends ReviewIntent['kind']>(kind: K, count: number, seen = 0) {
    const late = AbortSignal.timeout(10_000);
    for (;;) {
      const found = intents
        .slice(seen)
        .filter((intent): intent is Extract<ReviewIntent, { kind: K }> => intent.kind === kind);
      if (found.length >= count) return found;
      const { promise, resolve } = Promise.withResolvers<void>();
      const wake = (): void => resolve();
      waiting.add(wake);
      late.addEventListener('abort', wake);
      await promise;
      waiting.delete(wake);
      late.removeEventListener('abort', wake);
      if (late.aborted) throw new Error(`the page did not send ${count} "${kind}": ${JSON.stringify(intents)}`);
    }
  }

  const review: ReviewPage = {
    page,
    intents,
    complaints,
    snapshot: () => snapshot,
    update,
    send,
    async intent(kind, seen = 0) {
      const [first] = await sent(kind, 1, seen);
      if (first === undefined) throw new Error('unreachable: one intent was awaited');
      return first;
    },
    sent,
    [Symbol.asyncDispose]: () => context.close(),
  };
  await review.intent(options.hold === true ? 'ready' : 'rendered');
  return review;
}

/** The library axe-core, to run in a page. */
export const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Violations that axe-core finds, as `rule: element`. Runs through the debugger, so the page keeps its strict policy. */
export async function axeFindings(page: Page | Frame): Promise<readonly string[]> {
  await page.evaluate(axeSource);
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run(): Promise<{ violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[] }> };
    };
    const { violations } = await axe.run();
    return violations.flatMap(({ id, nodes }) => nodes.map(node => `${id}: ${node.html} ${node.failureSummary ?? ''}`));
  });
}
