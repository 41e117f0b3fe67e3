import { isScriptClass } from '../../protocol/script-class.ts';
import { isDone } from '../../protocol/sync-result.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import { type PausableWork, TimeSlice } from '../../base/time-slice.ts';
import type { Clock } from '../../ports/clock.ts';
import { runAtOneRevision } from '../../project/run-at-one-revision.ts';
import type { ProjectSession } from '../../project/project-session.ts';
import type { SyncEngine, SyncRun } from '../sync-engine.ts';
import type { ResourceSource } from '../../mcp/resource.ts';
import type { Reason } from '../../protocol/reason.ts';
import { formatReasons } from '../../protocol/run-result.ts';
import { conflictCard } from './conflict-card.ts';

/** Dependencies of the resources of the `sync` toolset, which change nothing. */
export interface SyncResourceDeps {
  readonly engine: SyncEngine;
  readonly session: () => ProjectSession | undefined;
  readonly onDidOpenSession: Event<ProjectSession>;
  readonly clock: Clock;
  /** Reads the page of the conflict card; `undefined` if it was not built. */
  readonly card: (() => Promise<string>) | undefined;
}

const json = 'application/json';
/** Number of recorded runs in the list; each has its own URI. */
const RUNS_IN_LIST = 50;

/** Maximum bytes of the entries on one page, unless one alone has more: with the rest about 8,000 tokens, like an answer of a tool. */
const PAGE_BYTES = 16_000;

/** The resources of the `sync` toolset as clients list them. */
export const syncResources: Pick<ResourceSource, 'listings' | 'templates'> = {
  listings: [
    {
      uri: 'atlas://changes',
      name: 'changes',
      title: 'Pending changes',
      description:
        'The differences between disk and Studio in the latest comparison: those of the open review, or those that the last sync did not resolve. next is the address of the next page.',
      mimeType: json,
    },
    {
      uri: 'atlas://runs',
      name: 'runs',
      title: 'Recorded syncs',
      description: `The last ${RUNS_IN_LIST} syncs that changed something, newest first.`,
      mimeType: json,
    },
    {
      uri: 'atlas://scripts',
      name: 'scripts',
      title: 'Scripts of the project',
      description:
        'Every script that has a file: its file, its class and its path in the game. next is the address of the next page.',
      mimeType: json,
    },
  ],
  templates: [
    {
      uriTemplate: 'atlas://runs/{runId}',
      name: 'run',
      title: 'One recorded sync',
      description: 'Every change of one sync with its outcome. next is the address of the next page.',
      mimeType: json,
    },
    {
      uriTemplate: 'atlas://scripts/{+fsPath}',
      name: 'script',
      title: 'A script in Studio',
      description: "The current saved text in Studio of a file's script. get_script also returns its studioHash.",
      mimeType: 'text/x-luau',
    },
  ],
};

/** `atlas://changes`, `atlas://runs`, `atlas://scripts`, and the resources below the last two. */
export function createSyncResources(deps: SyncResourceDeps): ResourceSource {
  const changed = new Emitter<string>();
  let last: SyncRun | undefined;
  deps.engine.onDidChange(() => {
    last = deps.engine.current() ?? last;
    changed.fire('atlas://changes');
    changed.fire('atlas://runs');
  });
  deps.onDidOpenSession(session => {
    changed.fire('atlas://scripts');
    session.onDidChange(() => changed.fire('atlas://scripts'));
  });
  const projectName = (): string | null => deps.session()?.info.name ?? null;
  const asJson = (value: unknown) => ({ mimeType: json, text: JSON.stringify(value, null, 2) });

  return {
    onDidChange: changed.event,
    listings: [...syncResources.listings, ...(deps.card === undefined ? [] : [conflictCard])],
    templates: syncResources.templates,
    async read(uri, signal) {
      if (uri === conflictCard.uri && deps.card !== undefined)
        return { mimeType: conflictCard.mimeType, text: await deps.card() };
      const page = pageAt(uri);
      if (page.list === 'atlas://changes')
        return asJson({ project: projectName(), ...pending(deps.engine.current() ?? last, page) });
      if (page.list === 'atlas://runs')
        return asJson({ project: projectName(), ...(await runList(deps.engine, page)) });
      if (page.list === 'atlas://scripts') return asJson(await scriptList(deps, page));
      const runId = below('atlas://runs/', page.list);
      const run = runId === undefined ? undefined : await deps.engine.recorded(runId);
      if (run !== undefined) {
        const { changes, ...head } = run;
        return asJson({ ...head, ...pageOfList('changes', changes, page, withText) });
      }
      const fsPath = below('atlas://scripts/', uri);
      if (fsPath === undefined) return undefined;
      const { source } = await deps.engine.readScript({ fsPath, fromDraft: false }, signal);
      return { mimeType: 'text/x-luau', text: source };
    },
  };
}

/** The decoded rest of `uri` after `prefix`; `undefined` if there is none or it is badly encoded. */
function below(prefix: string, uri: string): string | undefined {
  if (!uri.startsWith(prefix) || uri === prefix) return undefined;
  try {
    return decodeURIComponent(uri.slice(prefix.length));
  } catch {
    return undefined;
  }
}

/** A page of a list: `atlas://changes`, `atlas://changes?from=40`. */
interface ListPage {
  readonly list: string;
  /** How many entries come before it. */
  readonly from: number;
}

function pageAt(uri: string): ListPage {
  const [, list = uri, from = '0'] = /^(.*)\?from=(\d{1,9})$/.exec(uri) ?? [];
  return { list, from: Number(from) };
}

/** The entries of a page under `name`, with the number of all of them and the address of the next page. Formats only those that it shows. */
function pageOfList<T>(
  name: string,
  all: readonly T[],
  { list, from }: ListPage,
  format: (entry: T) => object | undefined,
): object {
  const encoder = new TextEncoder();
  const shown: object[] = [];
  let used = 0;
  let next = from;
  for (; next < all.length; next += 1) {
    const entry = format(all[next] as T);
    used += encoder.encode(JSON.stringify(entry ?? null, null, 2)).length;
    if (used > PAGE_BYTES && shown.length > 0) break;
    if (entry !== undefined) shown.push(entry);
  }
  return { total: all.length, [name]: shown, ...(next < all.length ? { next: `${list}?from=${next}` } : {}) };
}

/** Sorts undecided entries first, and otherwise keeps the order. */
const undecidedFirst = <T>(entries: readonly T[], isUndecided: (entry: T) => boolean): readonly T[] => [
  ...entries.filter(isUndecided),
  ...entries.filter(entry => !isUndecided(entry)),
];

function pending(run: SyncRun | undefined, page: ListPage): object {
  if (run === undefined) return { status: 'unknown', summary: 'Nothing has been compared yet.', changes: [] };
  const { runId } = run;
  const review = run.review()?.snapshot();
  if (review !== undefined && review.phase !== 'ended') {
    const rows = undecidedFirst(review.rows, ({ choice }) => choice === null);
    const changes = pageOfList('changes', rows, page, row => {
      const { id, path, className, patchType, fsPath, defaultSelection, choice } = row;
      return { id, path, className, patchType, fsPath, defaultSelection, choice };
    });
    return { status: 'review_pending', runId, summary: review.summary, ...changes };
  }
  const result = run.latest();
  if (result === undefined) return { status: 'running', runId, summary: `The sync is ${run.phase()}.`, changes: [] };
  const open = result.changes.filter(change => !isDone(change.outcome));
  const { status, summary } = result;
  const ordered = undecidedFirst(open, ({ direction }) => direction === 'unresolved');
  return { status, runId, summary, ...pageOfList('changes', ordered, page, withText) };
}

/** A change with its reason as text. */
const withText = <T extends { readonly reason?: Reason | undefined }>(change: T): object | undefined =>
  formatReasons([change])[0];

async function runList(engine: SyncEngine, page: ListPage): Promise<object> {
  const runs = await engine.history(RUNS_IN_LIST);
  return pageOfList('runs', runs, page, run => ({ ...run, changes: undefined }));
}

async function scriptList(
  { session: current, clock }: Pick<SyncResourceDeps, 'session' | 'clock'>,
  page: ListPage,
): Promise<object> {
  const session = current();
  if (session === undefined) return { project: null, scripts: [] };
  const scripts = await runAtOneRevision(session, () => listedScripts(session), new TimeSlice(clock));
  return { project: session.info.name, ...pageOfList('scripts', scripts, page, script => script) };
}

function* listedScripts(session: ProjectSession): PausableWork<readonly object[]> {
  const scripts: object[] = [];
  const paths = new Map<string, string>();
  for (const { id, parent, name, className } of session.descendants(session.rootId)) {
    yield;
    const above = paths.get(parent);
    const path = above === undefined ? '' : above === '' ? name : `${above}/${name}`;
    paths.set(id, path);
    const fsPath = isScriptClass(className) ? session.fsPathOf(id) : null;
    if (fsPath !== null) scripts.push({ fsPath, className, path, id });
  }
  return scripts;
}
