import { AppError } from '../../base/errors.ts';
import type { Hasher } from '../../ports/hasher.ts';
import type { ScriptMerger } from '../../ports/script-merger.ts';
import type { ProjectSession } from '../../project/project-session.ts';
import { parseRef } from '../../roblox/values/ref.ts';
import type { StudioLink } from '../../studio/studio-link.ts';
import { hashOfSource } from '../changes/change-list.ts';
import { readScript } from '../read-script.ts';
import { LearnedBase, type LearnBaseDeps } from '../changes/learn-base.ts';
import type { MergeRequest, ScriptMerge } from '../sync-engine.ts';

interface ReadMergeDeps extends LearnBaseDeps {
  readonly hasher: Hasher;
  readonly merger: ScriptMerger;
}

/** Merges the saved text of a script in Studio with the file. @throws AppError, see `SyncEngine.readMerge` */
export async function readMerge(
  request: MergeRequest,
  session: ProjectSession,
  link: StudioLink,
  deps: ReadMergeDeps,
  signal: AbortSignal,
): Promise<ScriptMerge> {
  const {
    source: studio,
    isDraft: _,
    ...script
  } = await readScript({ ...request, fromDraft: false }, session, link, signal);
  await session.refresh(signal);
  const ref = parseRef(script.id);
  const instance = ref && session.get(ref);
  const disk = instance?.properties.get('Source');
  const diskHash = instance && hashOfSource(instance, deps.hasher);
  if (instance === undefined || diskHash === undefined || disk?.type !== 'String')
    throw new AppError('SCRIPT_NOT_FOUND', { what: `${script.instancePath} on disk` });
  const known = new LearnedBase(session, deps);
  const { placeName: name, placeId, studioId, placeVersion } = link.hello;
  await known.load({ name, placeId }, studioId, placeVersion);
  const hash = known.stateOf(instance.id, script.instancePath)?.source;
  const base = hash === undefined ? undefined : await deps.baseTexts.read(hash, signal);
  const merge = base === undefined ? undefined : await deps.merger.merge({ base, disk: disk.value, studio });
  return { ...script, diskHash, merge };
}
