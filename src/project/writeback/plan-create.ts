import { runInSlices } from '../../base/time-slice.ts';
import { reasonOf } from '../../protocol/reason.ts';
import type { ProjectPath } from '../../base/brand.ts';
import { folderOf, joinPath } from '../../base/project-path.ts';
import { NULL_REF } from '../../roblox/values/ref.ts';
import type { PropertiesLocation } from '../snapshot/source-snapshot.ts';
import type { TreeInstance } from '../tree/project-tree.ts';
import { convertToFolder } from './convert-to-folder.ts';
import type { DesiredInstance } from './desired.ts';
import { FolderWriter } from './folder-writer.ts';
import { sourceLocationOf } from './source-locations.ts';
import type { Planning } from './planning.ts';
import { segmentsOf } from './plan-references.ts';
import { CannotWriteError } from './cannot-write-error.ts';

/** Plans the files of a new instance and its descendants. */
export async function planCreate(planning: Planning, parent: TreeInstance, desired: DesiredInstance): Promise<void> {
  const location = sourceLocationOf(planning, parent);
  const segments = segmentsOf(planning, parent);
  const settings = parent.origin?.settings;
  const noteEntry = (path: ProjectPath): unknown => planning.entries.set(planning.pull, path);
  if (location.kind === 'node' && location.missing?.includes(desired.name))
    throw new CannotWriteError(reasonOf('optional_path_missing'));
  if (location.folder !== undefined && settings) {
    noteEntry(await new FolderWriter(planning, settings).add({ folder: location.folder, segments }, desired));
    return;
  }
  if (parent.modelPlace) return addToModelFile(planning, parent, desired, segments);
  if (location.children) return addToJsonModel(planning, parent, location.children, desired, segments);
  if (settings === undefined) throw new CannotWriteError(reasonOf('parent_has_no_folder'));
  if (location.text) {
    const { folder } = await convertToFolder(planning, parent);
    if (folder !== undefined)
      noteEntry(
        await new FolderWriter(planning, settings).add({ folder, segments: segmentsOf(planning, parent) }, desired),
      );
    return;
  }
  const node = location.values.find(values => values.kind === 'node');
  if (node === undefined || parent.metadata.source?.kind !== 'projectNode') {
    const where = planning.context.tree.pathOf(parent.id) || parent.name;
    throw new CannotWriteError(reasonOf('parent_cannot_hold', where, location.entry ?? 'a file'));
  }
  const folder = freeFolder(planning, node.file, parent.metadata.source.names);
  // The node sets the instance name, so the file name may differ.
  const spot = { folder, segments, as: desired.name };
  const entry = await new FolderWriter(planning, settings).add(spot, {
    ...desired,
    name: planning.names.slugOf(desired.name),
  });
  noteEntry(entry);
  await addNode(planning, node, desired.name, entry);
}

async function addToJsonModel(
  planning: Planning,
  parent: TreeInstance,
  children: { readonly file: ProjectPath; readonly at: readonly (string | number)[] },
  desired: DesiredInstance,
  segments: readonly string[],
): Promise<void> {
  const settings = parent.origin?.settings ?? rootSettings(planning);
  if (settings === undefined) throw new CannotWriteError(reasonOf('parent_has_no_folder'));
  const writer = new FolderWriter(planning, settings);
  planning.entries.set(planning.pull, children.file);
  const node = await runInSlices(writer.modelNode(desired, true), planning.slice);
  const index = await planning.drafts.appendJson(children.file, children.at, node);
  const at = [...children.at, index];
  await runInSlices(
    writer.placeInModel(children.file, at, desired, [...segments, desired.name], false),
    planning.slice,
  );
}

function addToModelFile(
  planning: Planning,
  parent: TreeInstance,
  desired: DesiredInstance,
  segments: readonly string[],
): void {
  const { file } = planning.models.locationOf(parent);
  planning.entries.set(planning.pull, file);
  const paths = new Map<string, readonly string[]>();
  const note = (below: DesiredInstance, above: readonly string[]): void => {
    const path = [...above, below.name];
    paths.set(below.id, path);
    for (const child of below.children) note(child, path);
  };
  note(desired, segments);
  planning.models.add(parent, desired, (below, referent) => {
    planning.newLocations.set(below.id, {
      location: undefined,
      segments: paths.get(below.id) ?? [],
      model: { file, referent },
    });
    for (const [property, value] of below.properties)
      if (value.type === 'Ref' && value.value !== NULL_REF)
        planning.references.push({
          pull: planning.pull,
          owner: below.id,
          className: below.className,
          property,
          target: value.value,
        });
  });
}

/** Adds a project node with the path of a new file, for a new child of a node without a folder. */
async function addNode(
  planning: Planning,
  parent: PropertiesLocation,
  name: string,
  entry: ProjectPath,
): Promise<void> {
  if (name.startsWith('$'))
    throw new CannotWriteError(reasonOf('node_name_invalid', parent.file, JSON.stringify(name)));
  const folder = folderOf(parent.file);
  const path = folder === '' ? entry : entry.slice(folder.length + 1);
  const at = [...parent.at, name];
  if ((await planning.drafts.jsonAt(parent.file, at)) !== undefined)
    throw new CannotWriteError(reasonOf('node_exists', parent.file, JSON.stringify(name)));
  await planning.drafts.setJson(parent.file, at, { $path: path });
}

/** A folder for the files of a node that the project does not read otherwise. */
function freeFolder(planning: Planning, file: ProjectPath, names: readonly string[]): ProjectPath {
  const { index } = planning.context;
  for (const top of ['src', 'game', 'place', 'studio', 'nodes']) {
    let at = folderOf(file);
    let isFree = true;
    for (const name of [top, ...names.map(each => planning.names.slugOf(each))]) {
      at = joinPath(at, name);
      const seen = index.get(at);
      isFree &&= seen === undefined || seen.kind === 'absent';
    }
    if (isFree) return at;
  }
  throw new CannotWriteError(reasonOf('parent_has_no_path', file));
}

const rootSettings = ({ context: { tree } }: Planning) => tree.get(tree.rootId)?.origin?.settings;
