import assert from 'node:assert/strict';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { test } from 'node:test';
import { toolCatalog } from '../../../src/app/tool-catalog.ts';
import { nodeHasher } from '../../../src/adapters/node/hasher.ts';
import { plutoTools } from '../../../src/pluto/tools/pluto-catalog.ts';
import {
  BESIDE_MODULE,
  ends,
  pairsOf,
  placesOf,
  SEARCHED,
  SECRET,
  startSecretsWorld,
} from '../../harness/secrets-world.ts';

type Arguments = Readonly<Record<string, unknown>>;
/**
 * `locations`: the arguments that name files, folders, roots or modules. `more`: further arguments of the call. `end`: the extension that
 * the tool expects, tried too.
 */
type Row =
  | { readonly locations: readonly string[]; readonly more?: Arguments; readonly end?: string }
  | { readonly none: string };

const none = (reason: string): Row => ({ none: reason });
const byId = none('an id is looked up among the declarations of the modules');
const scoped = { locations: ['path', 'scope'], more: { path: 'a.md' }, end: '.md' } as const;
const module = { locations: ['path'], end: '.pluto' } as const;

/** The id of the declaration in `main.pluto`. */
const MOVED = 'a0000000-0000-4000-8000-000000000000';

/** All tools. A new tool fails the test until it has a row. */
const rows: Readonly<Record<string, Row>> = {
  atlas_diff: { locations: ['studio', 'under'] },
  atlas_sync: { locations: ['studio', 'under'], more: { mode: 'dryrun' } },
  get_script: { locations: ['fsPath', 'studio'], more: { fsPath: 'src/Score.luau' }, end: '.luau' },
  get_merge: { locations: ['fsPath', 'studio'], more: { fsPath: 'src/Score.luau' }, end: '.luau' },
  operation_get: { locations: ['operationId', 'under'], more: { operationId: 'x' } },
  operation_wait: { locations: ['operationId'] },
  sync_history: { locations: ['runId', 'under'] },
  sync_restore: { locations: ['runId', 'studio'], more: { runId: 'x', side: 'disk' } },
  run_tests: none('the filter is compared with names of tests; this bridge has no runner'),
  list_dir: scoped,
  open_file: scoped,
  get_snippet: { ...scoped, more: { path: 'a.md', start_line: 1, end_line: 9 } },
  search: { locations: ['file_glob', 'include', 'exclude', 'scope'], more: { query: SEARCHED } },
  smart_search: { locations: ['file_glob', 'include', 'exclude', 'scope'], more: { query: SEARCHED } },
  roots_list: none('no argument'),
  repo_status: { locations: ['root'] },
  repo_sync: { locations: ['root'], more: { mode: 'check' } },
  list_modules: none('no argument'),
  list_declarations: module,
  get_source: module,
  get_declaration: byId,
  find_declaration: none('names and kinds of declarations'),
  callers_of: byId,
  constructors_of: byId,
  usages_of: byId,
  error_set: byId,
  call_graph: byId,
  add_declaration: { ...module, more: { source: 'fn f() {}' } },
  replace_declaration: byId,
  rename_declaration: byId,
  delete_declaration: byId,
  add_method: byId,
  add_field: byId,
  move_declaration: { ...module, more: { id: MOVED } },
  create_module: module,
  undo: none('no argument'),
  save: module,
  check: module,
  test: module,
  run: { locations: ['path', 'stdin'], more: { path: 'probe.pluto' } },
  compile: { locations: ['path', 'output'], more: { path: 'main.pluto' }, end: '.js' },
  analyze: module,
  generate_pt: module,
  sync_pt: { locations: ['path'], end: '.pt' },
  pretty_print: module,
};

/** Arguments that are paths or globs. The other locations are names, or take a process each: a few places are enough. */
const PATHS = new Set(['path', 'fsPath', 'output', 'file_glob']);

/** Arguments with text that names no file, folder, root or module. */
const plainTexts = new Set(
  'args,class_id,className,commit,cursor,digest,expected_commit,filter,id,ids,name,name_pattern,new_name,plan,position,query,source,target_id,type,with'.split(
    ',',
  ),
);

const isText = (schema: unknown): boolean => {
  const { type, items, anyOf, enum: values } = schema as Readonly<Record<string, unknown>>;
  if (values !== undefined) return false;
  return type === 'string' || (type === 'array' && isText(items)) || (Array.isArray(anyOf) && anyOf.some(isText));
};

/** Hashes the files below a folder by their paths; a link by its target. */
async function contentOf(folder: string): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const content = new Map<string, string>();
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    const name = relative(folder, path);
    if (entry.isFile()) content.set(name, nodeHasher.gitBlob(await readFile(path)));
    else content.set(name, entry.isSymbolicLink() ? `link to ${await readlink(path)}` : 'folder');
  }
  return content;
}

const tools = [...toolCatalog, ...plutoTools].map(({ listing }) => listing);

test('every tool has a row that covers its arguments with text', () => {
  assert.deepEqual(
    Object.keys(rows),
    tools.map(({ name }) => name),
  );
  for (const { name, inputSchema } of tools) {
    const row = rows[name] ?? none('');
    const locations = 'none' in row ? [] : row.locations;
    const texts = Object.entries((inputSchema['properties'] ?? {}) as object)
      .filter(([, schema]) => isText(schema))
      .map(([argument]) => argument);
    assert.deepEqual(
      texts.filter(text => !plainTexts.has(text) && !locations.includes(text)),
      [],
      `${name}: is this argument a location?`,
    );
    assert.deepEqual(
      locations.filter(location => !texts.includes(location)),
      [],
      name,
    );
  }
});

/** Calls every tool with each place in each argument that names a place. */
async function attack(
  { at, bridge }: Awaited<ReturnType<typeof startSecretsWorld>>,
  placesFor: (end: string) => readonly string[],
  onAnswer: (
    call: { readonly tool: string; readonly argument: string; readonly place: string },
    text: string,
    answer: Arguments,
  ) => void,
): Promise<void> {
  const { answer } = await bridge.call('list_declarations', { path: 'main.pluto' });
  const [declared] = answer['result'] as readonly { readonly id: string }[];
  const few = [...pairsOf(at('.'), '').flat(), 'keys/id.pem', 'key-link'];
  for (const { name, inputSchema } of tools) {
    const row = rows[name] ?? none('');
    if ('none' in row) continue;
    const { locations, more = {}, end = '' } = row;
    const properties = inputSchema['properties'] as Readonly<Record<string, { readonly type?: string }>>;
    for (const argument of locations)
      for (const place of new Set([...placesFor(end), ...placesFor('')])) {
        if (!PATHS.has(argument) && !few.includes(place)) continue;
        const value = properties[argument]?.type === 'array' ? [place] : place;
        const id = 'id' in more ? { id: declared?.id } : {};
        const called = await bridge.call(name, { ...more, ...id, [argument]: value });
        onAnswer(
          { tool: name, argument, place: place.replace(at('.'), 'HOME') },
          called.text + JSON.stringify(called.answer),
          called.answer,
        );
      }
  }
}

test('no tool reveals or changes a secret, or reveals whether one exists', async () => {
  await using made = await startSecretsWorld();
  const before = await contentOf(made.at('.'));
  const problems: string[] = [];
  const answers = new Map<string, string>();
  const placesFor = (end: string): readonly string[] => [
    ...placesOf(made.at('.')).map(place => place + end),
    ...pairsOf(made.at('.'), end).flat(),
    ...(BESIDE_MODULE.includes(end) ? [`main${end}`] : []),
  ];
  const compiled = new Set<string>();
  await attack(made, placesFor, ({ tool, argument, place }, text, answer) => {
    // A compiled program is a new file, which its answer names.
    const output = String(answer['output_path']);
    if (tool === 'compile' && !before.has(`game/${output}`)) compiled.add(`game/${output}`);
    if (text.includes(SECRET)) problems.push(`${tool} with ${argument} ${place} reveals it`);
    const plain = text.replaceAll(made.at('.'), 'HOME').replaceAll(/ Unsaved edits were included \([^)]*\)\./g, '');
    const varying = /"(elapsedMs|duration_ms|runId|\w+_at|name)":[^,}]*/g;
    answers.set(`${tool} ${argument} ${place}`, plain.replaceAll(place, 'PLACE').replaceAll(varying, '$1'));
  });
  const pairs = new Set(ends.flatMap(end => pairsOf('HOME', end).map(pair => pair.join('\n'))));
  for (const [call, text] of answers)
    for (const pair of pairs) {
      const [there = '', missing = ''] = pair.split('\n');
      const other = call.endsWith(` ${there}`) ? answers.get(call.slice(0, -there.length) + missing) : undefined;
      if (other !== undefined && other !== text) problems.push(`${call}:\n${text}\nbut for ${missing}:\n${other}`);
    }
  const after = await contentOf(made.at('.'));
  for (const path of new Set([...before.keys(), ...after.keys()]))
    if (!path.startsWith('cache') && !compiled.has(path) && before.get(path) !== after.get(path))
      problems.push(`changed ${path}`);
  assert.deepEqual(problems, []);
});
