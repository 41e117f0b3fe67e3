import { isScriptClass } from '../protocol/script-class.ts';
import { namesOnPath } from '../project/tree/instance-path.ts';
import type { ProjectPath } from '../base/brand.ts';
import { AppError } from '../base/errors.ts';
import { parseRef } from '../roblox/values/ref.ts';
import type { StudioLink } from '../studio/studio-link.ts';
import type { ProjectSession } from '../project/project-session.ts';
import type { ScriptRequest, ScriptText } from './sync-engine.ts';

/** Reads one script from Studio. @throws AppError, see `SyncEngine.readScript` */
export async function readScript(
  request: ScriptRequest,
  session: ProjectSession,
  link: StudioLink,
  signal: AbortSignal,
): Promise<ScriptText> {
  const id = request.id ?? idOfScriptAt(request.fsPath, session);
  const ref = parseRef(id);
  const known = ref === undefined ? undefined : session.get(ref);
  if (known !== undefined && !isScriptClass(known.className))
    throw new AppError('NOT_A_SCRIPT', { what: known.name, className: known.className });
  try {
    const { source, studioHash, className, instancePath, isDraft } = await link.getScript(
      id,
      request.fromDraft,
      signal,
      known === undefined ? undefined : namesOnPath(session, known.id),
    );
    const fsPath = known === undefined ? null : session.fsPathOf(known.id);
    const at = { workspaceGen: session.revision(), connectionEpoch: link.epoch };
    return { source, studioHash, className, instancePath, isDraft, at, id, fsPath };
  } catch (error) {
    throw asScriptError(error, request.id ?? request.fsPath ?? id);
  }
}

function idOfScriptAt(fsPath: string | undefined, session: ProjectSession): string {
  if (fsPath === undefined) throw new AppError('INVALID_INPUT', { problems: 'requires id or fsPath' });
  const ids = session.idsAtPath(toProjectPath(fsPath));
  const instances = ids.map(id => session.get(id)).filter(instance => instance !== undefined);
  const script = instances.find(instance => isScriptClass(instance.className));
  if (script !== undefined) return script.id;
  const other = instances[0];
  if (other !== undefined) throw new AppError('NOT_A_SCRIPT', { what: fsPath, className: other.className });
  throw new AppError('SCRIPT_NOT_FOUND', { what: fsPath });
}

/** Paths come from agents on any platform: with either separator and an optional leading `./`. */
function toProjectPath(fsPath: string): ProjectPath {
  const segments = fsPath
    .replaceAll('\\', '/')
    .split('/')
    .filter(segment => segment !== '' && segment !== '.');
  if (segments.includes('..')) throw new AppError('PATH_OUTSIDE_ROOT', { path: fsPath });
  // Normalized above, as the type requires.
  return segments.join('/') as ProjectPath;
}

function asScriptError(error: unknown, what: string): AppError {
  if (!AppError.is(error, 'STUDIO_FAILED')) return AppError.from(error);
  const { code, className, reason } = error.details;
  switch (code) {
    case 'no_comparison':
    case 'stale_id':
    case 'deleted':
      return new AppError('SCRIPT_NOT_FOUND', { what, reason }, { cause: error });
    case 'not_a_script':
      return new AppError('NOT_A_SCRIPT', { what, className: className ?? 'different class' }, { cause: error });
    default:
      return error;
  }
}
