import { folderOf, nameOf } from '../../base/project-path.ts';
import { ContentFileLocation } from './content-file-location.ts';
import type { InstanceContent, FileKind, ReadContent, SourceFile } from './file-kind.ts';
import { readMetas, withMetas } from '../snapshot/meta.ts';
import type { SnapshotPass } from '../snapshot/pass.ts';
import { brokenSnapshot, pathKey, type SnapshotOutcome, type SourceSnapshot } from '../snapshot/source-snapshot.ts';

/** Reads a file that describes one instance without children and may have a meta file next to it. */
export const contentFile =
  (read: ReadContent): FileKind['read'] =>
  async (pass, file) => {
    const content = await read(pass, file.path, file.settings);
    return content === undefined || content === 'broken' ? content : withMetaFile(pass, file, content);
  };

async function withMetaFile(pass: SnapshotPass, file: SourceFile, content: InstanceContent): Promise<SnapshotOutcome> {
  const { dialect } = file.settings;
  const names = pass.fileNames.metaNames(nameOf(file.path), file.name, dialect);
  const metas = await readMetas(pass, folderOf(file.path), names, dialect);
  if (metas === 'broken') return brokenSnapshot(pathKey(file.path));
  const snapshot = plainSnapshot(file, content);
  const [metaFile] = metas.candidates;
  if (metas.found.length > 0 || metaFile === undefined || content.text === undefined)
    return withMetas(pass, snapshot, metas, dialect, 'file');
  return {
    ...snapshot,
    location: new ContentFileLocation(file, metaFile, content.text),
    metadata: { ...snapshot.metadata, relevantPaths: snapshot.metadata.relevantPaths.concat(metas.candidates) },
  };
}

/** An instance without children whose file is its only source. */
export function plainSnapshot(file: SourceFile, { className, properties, text }: InstanceContent): SourceSnapshot {
  return {
    kind: 'instance',
    key: pathKey(file.path),
    origin: { kind: 'path', entry: file.path, settings: file.settings },
    location: {
      kind: 'file',
      fileKind: file.kind,
      values: [],
      entry: file.path,
      ...(text && { text: { path: file.path, format: text } }),
    },
    name: file.name,
    className,
    properties,
    unreadable: none,
    children: nothing,
    metadata: {
      ignoreUnknownInstances: false,
      globIgnoredChildren: false,
      source: { kind: 'path', path: file.path },
      relevantPaths: [file.path],
    },
  };
}

const none: ReadonlySet<string> = new Set();
const nothing: readonly SnapshotOutcome[] = [];
