import { isScriptClass } from '../../protocol/script-class.ts';
import { type PausableWork, TimeSlice } from '../../base/time-slice.ts';
import type { Clock } from '../../ports/clock.ts';
import { runAtOneRevision } from '../../project/run-at-one-revision.ts';
import type { ProjectSession } from '../../project/project-session.ts';
import type { Completer } from '../../mcp/registry.ts';
import type { SyncEngine } from '../sync-engine.ts';

/** Number of suggested runs; older ones must be typed. */
const MAX_RUNS = 500;

export interface SyncCompleterDeps {
  readonly engine: Pick<SyncEngine, 'history'>;
  readonly session: () => ProjectSession | undefined;
  readonly clock: Clock;
}

/** Completes run ids, paths of scripts, and paths of the game for the prompts and resources of the sync toolset. */
export const createSyncCompleter =
  ({ engine, session, clock }: SyncCompleterDeps): Completer =>
  async (owner, argument) => {
    const listed = async (
      list: (of: ProjectSession) => PausableWork<readonly string[]>,
    ): Promise<readonly string[]> => {
      const current = session();
      return current === undefined ? [] : await runAtOneRevision(current, () => list(current), new TimeSlice(clock));
    };
    switch (`${owner} ${argument}`) {
      case 'atlas://runs/{runId} runId':
        return (await engine.history(MAX_RUNS)).map(({ runId }) => runId);
      case 'atlas://scripts/{+fsPath} fsPath':
        return await listed(scriptPaths);
      case 'resolve-conflicts path':
        return (await listed(gamePaths)).concat(await listed(scriptPaths));
      default:
        return undefined;
    }
  };

function* scriptPaths(session: ProjectSession): PausableWork<readonly string[]> {
  const found: string[] = [];
  for (const { id, className } of session.descendants(session.rootId)) {
    yield;
    const fsPath = isScriptClass(className) ? session.fsPathOf(id) : null;
    if (fsPath !== null) found.push(fsPath);
  }
  return found;
}

function* gamePaths(session: ProjectSession): PausableWork<readonly string[]> {
  const paths = new Map<string, string>([[session.rootId, '']]);
  for (const { id, parent, name } of session.descendants(session.rootId)) {
    yield;
    const above = paths.get(parent);
    if (id !== session.rootId) paths.set(id, above === undefined || above === '' ? name : `${above}/${name}`);
  }
  return Array.from(paths.values()).filter(path => path !== '');
}
