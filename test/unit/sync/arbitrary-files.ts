import fc from 'fast-check';

/** A file, or a folder with an instance, of a generated project. */
export interface Entry {
  readonly name: string;
  readonly kind: 'folder' | 'init' | 'module' | 'server' | 'text' | 'data' | 'model';
  readonly text: string;
  readonly tags: readonly string[];
  readonly id: string | undefined;
  readonly target: string | undefined;
  readonly children: readonly Entry[];
}
const id = fc.constantFrom('a', 'b', 'c', 'd');
const { entry } = fc.letrec<{ entry: Entry }>(tie => ({
  entry: fc.record({
    name: fc.constantFrom('One', 'two', 'Three 3', 'vier', '_5', 'é', 'x.y'),
    kind: fc.constantFrom('folder', 'init', 'module', 'server', 'text', 'data', 'model'),
    text: fc.string({ unit: fc.constantFrom('a', '\n', ']', '>', '&', '"', 'é', '\t') }),
    tags: fc.array(fc.string({ minLength: 1, unit: fc.constantFrom('a', 'b', 'é') }), { maxLength: 2 }),
    id: fc.option(id, { nil: undefined }),
    target: fc.option(id, { nil: undefined }),
    children: fc.oneof({ maxDepth: 3 }, fc.constant([]), fc.array(tie('entry'), { maxLength: 4 })),
  }),
}));

/** Scripts, texts, data, models and folders, with tags, attributes, ids and references. */
export const anyEntries: fc.Arbitrary<readonly Entry[]> = fc.array(entry, { maxLength: 5 });

/** The files of the entries in the syntax of the dialect. */
export function filesOf(folder: string, entries: readonly Entry[], dialect: 'rojo' | 'atlas'): Record<string, string> {
  const ending = dialect === 'rojo' ? 'json' : 'json5';
  const files: Record<string, string> = { [`${folder}/.keep`]: '' };
  const seen = new Set<string>();
  for (const { name, kind, text, tags, id: own, target, children } of entries) {
    if (seen.has(name)) continue;
    seen.add(name);
    const path = `${folder}/${name}`;
    const attributes = { ...(target !== undefined && { Rojo_Target_Value: target }), Speed: text.length };
    const meta = JSON.stringify({ properties: { Tags: tags }, attributes, ...(own !== undefined && { id: own }) });
    const isFolder = kind === 'folder' || kind === 'init';
    if (kind !== 'model') files[isFolder ? `${path}/init.meta.${ending}` : `${path}.meta.${ending}`] = meta;
    if (kind === 'init') files[`${path}/init.luau`] = text;
    if (isFolder) Object.assign(files, filesOf(path, children, dialect));
    if (kind === 'module') files[`${path}.luau`] = text;
    if (kind === 'server') files[`${path}.server.luau`] = text;
    if (kind === 'text') files[`${path}.txt`] = text;
    if (kind === 'data') files[`${path}.${ending}`] = JSON.stringify({ [text]: tags });
    if (kind === 'model') {
      const below = children.map(child => ({
        className: 'StringValue',
        name: child.name,
        properties: { Value: child.text },
      }));
      const model = { className: 'ObjectValue', properties: { Tags: tags }, attributes, children: below };
      files[`${path}.model.${ending}`] = JSON.stringify(own === undefined ? model : { ...model, id: own });
    }
  }
  return files;
}
