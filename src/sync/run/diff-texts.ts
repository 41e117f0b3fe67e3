import { AppError } from '../../base/errors.ts';
import type { DiffTexts } from '../../ports/review-surface.ts';
import type { Git } from '../../ports/git.ts';
import type { StudioLink } from '../../studio/studio-link.ts';
import type { RunChange } from '../changes/run-change.ts';

/** Both sources of a change; Studio's is read now, so that a person sees what stands there and not what stood there. */
export async function diffTexts(
  change: RunChange,
  compareId: string,
  { link, git }: { readonly link: StudioLink; readonly git: Git },
): Promise<DiffTexts> {
  const title = change.studio.path;
  const source = change.disk?.properties.get('Source');
  const disk = source?.type === 'String' ? { fsPath: change.fsPath, text: source.value } : undefined;
  if (change.studio.patchType === 'Add') return { title, disk, studio: undefined, base: undefined };
  const reply = await link.read(compareId, [change.studio.id], new AbortController().signal);
  const text = reply.instances[0]?.source;
  if (text === undefined) throw new AppError('SCRIPT_NOT_FOUND', { what: `${title} in Studio` });
  const committed =
    disk === undefined || change.fsPath === null
      ? undefined
      : await git.committed(change.fsPath, new AbortController().signal);
  const base = committed === undefined ? undefined : { text: new TextDecoder().decode(committed) };
  return { title, disk, studio: { text }, base };
}
