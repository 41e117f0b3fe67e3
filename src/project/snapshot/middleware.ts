import type { ProjectPath } from '../../base/brand.ts';
import { folderOf, nameOf } from '../../base/project-path.ts';
import type { Variant } from '../../roblox/values/variant.ts';
import { readMetas, withMetas } from './meta.ts';
import type { SnapshotPass } from './pass.ts';
import { metaNames } from './rules.ts';
import {
  brokenAt,
  type SourceLocation,
  pathKey,
  type SnapshotOutcome,
  type SnapshotSettings,
  type SourceSnapshot,
} from './source-snapshot.ts';

export type { SnapshotPass } from './pass.ts';

/** A file that a rule has matched. */
export interface SourceFile {
  readonly path: ProjectPath;
  /** What the instance is called by its file. */
  readonly name: string;
  /** Name of the rule. */
  readonly kind: string;
  readonly settings: SnapshotSettings;
}

/**
 * Makes an instance of one kind of file. `undefined`: nothing comes of it (any more). `'broken'`: it cannot be read, which has been
 * reported; the tree keeps what it has. A new kind is a file with one of these and a row in `rules.ts` and `middlewares.ts`.
 */
export type Middleware = (pass: SnapshotPass, file: SourceFile) => Promise<SnapshotOutcome | 'broken' | undefined>;

/** What is the same for every file that is one instance and may have a meta file beside it. */
export async function fileSnapshot(
  pass: SnapshotPass,
  file: SourceFile,
  read: {
    readonly className: string;
    readonly properties: ReadonlyMap<string, Variant>;
    readonly home?: Pick<SourceLocation, 'text'>;
  },
): Promise<SnapshotOutcome> {
  const { dialect } = file.settings;
  const metas = await readMetas(pass, folderOf(file.path), metaNames(nameOf(file.path), file.name, dialect), dialect);
  if (metas === 'broken') return brokenAt(pathKey(file.path));
  return withMetas(pass, plainSnapshot(file, read), metas, dialect, 'file');
}

/** An instance without children whose file is its only source. */
export function plainSnapshot(
  file: SourceFile,
  read: {
    readonly className: string;
    readonly properties: ReadonlyMap<string, Variant>;
    readonly home?: Pick<SourceLocation, 'text'>;
  },
): SourceSnapshot {
  return {
    kind: 'instance',
    key: pathKey(file.path),
    origin: { kind: 'path', entry: file.path, settings: file.settings },
    home: { kind: file.kind, values: [], entry: file.path, ...read.home },
    name: file.name,
    className: read.className,
    properties: read.properties,
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
