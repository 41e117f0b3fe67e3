import { isDone } from '../../protocol/sync.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import { isScriptClass } from '../../roblox/instances/instance.ts';
import type { ProjectSession } from '../../project/project-session.ts';
import type { SyncEngine, SyncRun } from '../sync-engine.ts';
import type { ResourceSource } from '../../mcp/resource.ts';
import { conflictCard } from './conflict-card.ts';

/** Dependencies of the resources of the `sync` toolset, which change nothing. */
export interface SyncResourceDeps {
  readonly engine: SyncEngine;
  readonly session: () => ProjectSession | undefined;
  readonly onDidOpenSession: Event<ProjectSession>;
  /** Reads the page of the conflict card; `undefined` if it was not built. */
  readonly card: (() => Promise<string>) | undefined;
}

const json = 'application/json';
/** Number of recorded runs in the list; each has its own URI. */
const RUNS_IN_LIST = 50;

/** The listed fields of a run. */
export const syncResources: Pick<ResourceSource, 'listings' | 'templates'> = {
  listings: [
    {
      uri: 'atlas://changes',
      name: 'changes',
      title: 'Pending changes',
      description:
        'The differences between disk and Studio in the latest comparison: those of the open review, or those that the last sync did not resolve.',
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
      description: 'Every script that has a file: its file, its class and its path in the game.',
      mimeType: json,
    },
  ],
  templates: [
    {
      uriTemplate: 'atlas://runs/{runId}',
      name: 'run',
      title: 'One recorded sync',
      description: 'Every change of one sync with its outcome.',
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
      if (uri === 'atlas://changes')
        return asJson({ project: projectName(), ...pending(deps.engine.current() ?? last) });
      if (uri === 'atlas://runs') return asJson({ project: projectName(), ...(await runList(deps.engine)) });
      if (uri === 'atlas://scripts') return asJson(scriptList(deps.session()));
      const runId = below('atlas://runs/', uri);
      const run = runId === undefined ? undefined : await deps.engine.recorded(runId);
      if (run !== undefined) return asJson(run);
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

function pending(run: SyncRun | undefined): object {
  if (run === undefined) return { status: 'unknown', summary: 'Nothing has been compared yet.', changes: [] };
  const review = run.review()?.snapshot();
  if (review !== undefined && review.phase !== 'ended') {
    const changes = review.rows.map(({ id, path, className, patchType, fsPath, defaultSelection, choice }) => ({
      id,
      path,
      className,
      patchType,
      fsPath,
      defaultSelection,
      choice,
    }));
    return { status: 'review_pending', runId: run.runId, summary: review.summary, changes };
  }
  const result = run.latest();
  if (result === undefined)
    return { status: 'running', runId: run.runId, summary: `The sync is ${run.phase()}.`, changes: [] };
  return {
    status: result.status,
    runId: run.runId,
    summary: result.summary,
    changes: result.changes.filter(change => !isDone(change.outcome)),
  };
}

const runList = async (engine: SyncEngine): Promise<object> => ({
  runs: (await engine.history(RUNS_IN_LIST)).map(run => ({ ...run, changes: undefined })),
});

function scriptList(session: ProjectSession | undefined): object {
  if (session === undefined) return { project: null, scripts: [] };
  const scripts: object[] = [];
  const paths = new Map<string, string>();
  for (const { id, parent, name, className } of session.descendants(session.rootId)) {
    const above = paths.get(parent);
    const path = above === undefined ? '' : above === '' ? name : `${above}/${name}`;
    paths.set(id, path);
    const fsPath = isScriptClass(className) ? session.fsPathOf(id) : null;
    if (fsPath !== null) scripts.push({ fsPath, className, path, id });
  }
  return { project: session.info.name, scripts };
}
