import { isScriptClass } from '../../protocol/script-class.ts';
import type { Ref } from '../../base/brand.ts';
import { folderOf, relativePath } from '../../base/project-path.ts';
import type { Instance } from '../../roblox/instances/instance.ts';
import type { Clock } from '../../ports/clock.ts';
import type { ProjectSession } from '../project-session.ts';
import { TimeSlice } from '../../base/time-slice.ts';

/** A sourcemap node as Luau LSP reads it, with members in output order. `filePaths` are relative to the folder of the project file. */
interface SourcemapNode {
  readonly name: string;
  readonly className: string;
  readonly filePaths?: readonly string[];
  readonly children?: readonly SourcemapNode[];
}

export interface SourcemapOptions {
  /** When false, includes only scripts and their ancestors. */
  readonly includeNonScripts: boolean;
  /** The folder of the session, for absolute paths. Without it, paths are relative to the folder of the project file. */
  readonly absoluteFrom?: string;
}

/**
 * Renders the sourcemap of a project; the text is `null` when the sourcemap has no nodes.
 *
 * @param clock lets long work yield to the event loop
 */
export async function renderSourcemap(
  session: ProjectSession,
  options: SourcemapOptions,
  clock?: Clock,
): Promise<string> {
  const slice = clock && new TimeSlice(clock);
  const root = await nodeOf(session, session.rootId, options, slice);
  return JSON.stringify(root ?? null);
}

async function nodeOf(
  session: ProjectSession,
  id: Ref,
  options: SourcemapOptions,
  slice: TimeSlice | undefined,
): Promise<SourcemapNode | undefined> {
  await slice?.yieldToEventLoop();
  const instance = session.get(id);
  if (instance === undefined) return undefined;
  const children: SourcemapNode[] = [];
  for (const childId of instance.children) {
    const child = await nodeOf(session, childId, options, slice);
    if (child) children.push(child);
  }
  const { name, className } = instance;
  if (children.length === 0 && !options.includeNonScripts && !isScriptClass(className)) return undefined;
  const filePaths = filesOf(session, instance, options);
  return {
    name,
    className,
    ...(filePaths.length > 0 && { filePaths }),
    ...(children.length > 0 && { children }),
  };
}

/** The existing files of an instance. Instances inside a model file have none. */
function filesOf(
  session: ProjectSession,
  { id, metadata }: Instance,
  { absoluteFrom }: SourcemapOptions,
): readonly string[] {
  const { source } = metadata;
  if (source === undefined) return [];
  const files = session.filesOf(id);
  // Every node depends on the project file, but only the root lists it.
  const isInner = source.kind === 'projectNode' && source.names.length > 0;
  const folder = folderOf(session.info.projectFile);
  return (isInner ? files.filter(file => file !== source.file) : files).map(file =>
    absoluteFrom === undefined ? relativePath(folder, file) : `${absoluteFrom}/${file}`,
  );
}

/** Whether a change of an instance can change the sourcemap. */
export function changesSourcemap(before: Instance | undefined, after: Instance | undefined): boolean {
  if (before === undefined || after === undefined) return true;
  return (
    before.name !== after.name ||
    before.className !== after.className ||
    before.parent !== after.parent ||
    before.metadata !== after.metadata ||
    before.children.length !== after.children.length ||
    before.children.some((child, index) => child !== after.children[index])
  );
}
