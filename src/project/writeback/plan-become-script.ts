import { reasonOf } from '../../protocol/reason.ts';
import type { TreeInstance } from '../tree/project-tree.ts';
import { CannotWriteError } from './cannot-write-error.ts';
import type { DesiredInstance } from './desired.ts';
import { FolderWriter } from './folder-writer.ts';
import type { Planning } from './planning.ts';

/** Whether a folder of the project becomes a script by an init file in it. */
export const canBecomeScript = ({ className, location, origin }: TreeInstance): boolean =>
  className === 'Folder' &&
  location.folder !== undefined &&
  location.text === undefined &&
  origin?.kind === 'node' &&
  (origin.node.className ?? 'Folder') === 'Folder';

/** Plans the init file that turns a folder of the project into the script of the place. */
export async function planBecomeScript(
  planning: Planning,
  instance: TreeInstance,
  desired: DesiredInstance,
): Promise<void> {
  const { location, origin } = instance;
  if (location.folder === undefined || origin?.kind !== 'node')
    throw new CannotWriteError(reasonOf('not_a_project_folder'));
  await new FolderWriter(planning, origin.settings).addInitFile(location.folder, desired);
  // A class next to a path that produces a script is an error.
  if (origin.node.className !== undefined)
    await planning.drafts.setJson(origin.project.file, ['tree', ...origin.names, '$className'], undefined);
}
