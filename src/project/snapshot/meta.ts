import type { ProjectPath } from '../../base/brand.ts';
import { joinPath } from '../../base/project-path.ts';
import { fieldsOf, flagOf, membersOf, objectOf, readShape, textOf } from '../../roblox/formats/json-shape.ts';
import type { JsonPath } from '../../roblox/formats/json5-edit.ts';
import { type JsonDocument, type JsonMember, positionIn } from '../../roblox/formats/json5-document.ts';
import { readJson, reportProblem, type SnapshotPass } from './pass.ts';
import type { Dialect } from '../project-file/project-file.ts';
import type { SourceSnapshot, PropertiesLocation } from './source-snapshot.ts';
import { readMembers } from './values.ts';

/** A meta file beside a file, or `init.meta.json` of a folder. */
export interface MetaFile {
  readonly file: ProjectPath;
  readonly document: JsonDocument;
  readonly className: { readonly value: string; readonly offset: number } | undefined;
  readonly name: string | undefined;
  readonly id: { readonly value: string; readonly offset: number } | undefined;
  readonly ignoreUnknownInstances: boolean | undefined;
  readonly properties: readonly JsonMember[];
  readonly attributes: readonly JsonMember[];
}

/** The meta files of one instance: every possible path, and the files that exist. */
export interface MetaFiles {
  readonly candidates: readonly ProjectPath[];
  readonly found: readonly MetaFile[];
}

/** Reads the meta files of one instance. Returns `'broken'` when one is invalid, which has been reported. */
export async function readMetas(
  pass: SnapshotPass,
  folder: ProjectPath,
  names: readonly string[],
  dialect: Dialect,
): Promise<MetaFiles | 'broken'> {
  const candidates = names.map(name => joinPath(folder, name));
  const found: MetaFile[] = [];
  for (const file of candidates) {
    if ((await pass.disk.kindOf(file)) !== 'file') continue;
    const meta = await readMeta(pass, file);
    if (meta === 'broken') return meta;
    if (meta) found.push(meta);
    if (dialect === 'atlas') break;
  }
  return { candidates, found };
}

async function readMeta(pass: SnapshotPass, file: ProjectPath): Promise<MetaFile | 'broken' | undefined> {
  const document = await readJson(pass, file);
  if (document === undefined || document === 'broken') return document;
  const read = readShape(document, (): MetaFile => {
    const names = ['properties', 'attributes', 'className', 'name', 'id', 'ignoreUnknownInstances'] as const;
    const { known } = fieldsOf(objectOf(document.root, 'the meta file').members, names);
    return {
      file,
      document,
      className: known.className && { value: textOf(known.className, '"className"'), offset: known.className.start },
      name: known.name && textOf(known.name, '"name"'),
      id: known.id && { value: textOf(known.id, '"id"'), offset: known.id.start },
      ignoreUnknownInstances:
        known.ignoreUnknownInstances && flagOf(known.ignoreUnknownInstances, '"ignoreUnknownInstances"'),
      properties: membersOf(known.properties, '"properties"'),
      attributes: membersOf(known.attributes, '"attributes"'),
    };
  });
  if ('file' in read) return read;
  reportProblem(pass, file, read);
  return 'broken';
}

/** Applies meta files to an instance: `ignoreUnknownInstances`, properties, attributes, id, class (folders only) and name (Atlas dialect only). */
export function withMetas(
  pass: SnapshotPass,
  snapshot: SourceSnapshot,
  metas: MetaFiles,
  dialect: Dialect,
  of: 'file' | 'folder',
): SourceSnapshot {
  let result = snapshot;
  let location = missingMeta(metas.candidates[0]);
  for (const meta of metas.found) {
    const className = of === 'folder' ? classFrom(pass, meta, result.className) : result.className;
    const read = readMembers(pass, meta.file, meta.document, className, meta.properties, meta.attributes);
    location = metaLocation(meta.file, meta, read.keys);
    result = {
      ...result,
      className,
      name: (dialect === 'atlas' ? meta.name : undefined) ?? result.name,
      specifiedId: idFrom(pass, meta, result.specifiedId),
      properties: new Map([...result.properties, ...read.values]),
      unreadable: new Set([...result.unreadable, ...read.unreadable]),
      metadata: {
        ...result.metadata,
        ignoreUnknownInstances: meta.ignoreUnknownInstances ?? result.metadata.ignoreUnknownInstances,
      },
    };
  }
  return {
    ...result,
    location: { ...result.location, values: [location] },
    metadata: { ...result.metadata, relevantPaths: result.metadata.relevantPaths.concat(metas.candidates) },
  };
}

/** The first id is used; another one is reported. */
function idFrom(pass: SnapshotPass, meta: MetaFile, known: string | undefined): string | undefined {
  if (meta.id === undefined || known === undefined) return meta.id?.value ?? known;
  const expected = `no "id" here: another file already sets it to ${JSON.stringify(known)}`;
  reportProblem(pass, meta.file, { ...positionIn(meta.document, meta.id.offset), expected });
  return known;
}

function classFrom(pass: SnapshotPass, meta: MetaFile, className: string): string {
  if (meta.className === undefined) return className;
  if (className === 'Folder') return meta.className.value;
  const expected = `no "className" here: the init script already makes the folder a ${className}`;
  reportProblem(pass, meta.file, { ...positionIn(meta.document, meta.className.offset), expected });
  return className;
}

/** The location of a meta file that does not exist yet. */
export const missingMeta = (file: ProjectPath | undefined): PropertiesLocation => metaLocation(file, undefined, noKeys);

const metaLocation = (
  file: ProjectPath | undefined,
  meta: MetaFile | undefined,
  keys: ReadonlyMap<string, string>,
): PropertiesLocation => ({
  kind: 'meta',
  // The list of candidates is never empty.
  file: file ?? ('init.meta.json' as ProjectPath),
  exists: meta !== undefined,
  at: top,
  propertiesKey: 'properties',
  attributesKey: 'attributes',
  idKey: 'id',
  hasAttributes: (meta?.attributes.length ?? 0) > 0,
  keys,
});

const noKeys: ReadonlyMap<string, string> = new Map();
const top: JsonPath = [];
