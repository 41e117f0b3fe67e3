import { isScriptClass } from '../../protocol/script-class.ts';
import type { ProjectSession } from '../../project/project-session.ts';
import type { Completer } from '../../mcp/registry.ts';
import type { SyncEngine } from '../sync-engine.ts';

/** Number of suggested runs; older ones must be typed. */
const MAX_RUNS = 500;

export interface SyncCompleterDeps {
  readonly engine: Pick<SyncEngine, 'history'>;
  readonly session: () => ProjectSession | undefined;
}

/** Completes run ids, paths of scripts, and paths of the game for the prompts and resources of the sync toolset. */
export const createSyncCompleter =
  ({ engine, session }: SyncCompleterDeps): Completer =>
  async (owner, argument) => {
    switch (`${owner} ${argument}`) {
      case 'atlas://runs/{runId} runId':
        return (await engine.history(MAX_RUNS)).map(({ runId }) => runId);
      case 'atlas://scripts/{+fsPath} fsPath':
        return scriptPaths(session());
      case 'resolve-conflicts path':
        return [...gamePaths(session()), ...scriptPaths(session())];
      default:
        return undefined;
    }
  };

function scriptPaths(session: ProjectSession | undefined): readonly string[] {
  if (session === undefined) return [];
  return Array.from(session.descendants(session.rootId)).flatMap(({ id, className }) => {
    const fsPath = isScriptClass(className) ? session.fsPathOf(id) : null;
    return fsPath === null ? [] : [fsPath];
  });
}

function gamePaths(session: ProjectSession | undefined): readonly string[] {
  if (session === undefined) return [];
  const paths = new Map<string, string>([[session.rootId, '']]);
  for (const { id, parent, name } of session.descendants(session.rootId)) {
    const above = paths.get(parent);
    if (id !== session.rootId) paths.set(id, above === undefined || above === '' ? name : `${above}/${name}`);
  }
  return Array.from(paths.values()).filter(path => path !== '');
}
