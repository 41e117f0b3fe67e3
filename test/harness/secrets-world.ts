import assert from 'node:assert/strict';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { createNodeFileSystem } from '../../src/adapters/fs/node-file-system.ts';
import { nodeHasher } from '../../src/adapters/node/hasher.ts';
import { gitRemote } from './git-remote.ts';
import { loadPlutoToolset } from './load-pluto.ts';
import { rootHost } from './root-host.ts';
import { startBridge } from './start-bridge.ts';
import { tempFolder } from './temp-folder.ts';

/** The content of every secret. Searches look for its first part, which their answers may repeat. */
export const SECRET = 'KEY_THAT_NO_TOOL_TELLS';
export const SEARCHED = 'KEY_THAT_NO';

/** A program that reads, changes and lists the file that its input names. */
const probe = `import std.io
import std.fs

fn main() {
    let path = io.read_line()
    print(fs.read_all(path) catch e { e.message })
    fs.write_all(path, "changed") catch e { print(e.message) }
    let names = fs.list_dir(path) catch e { [] }
    for name in names { print(name) }
}
`;

/** The extensions of the files that tools expect. */
export const ends = ['', '.md', '.pluto', '.pt', '.js', '.luau'];

/** The extensions of files beside a module. */
export const BESIDE_MODULE = ['.pt', '.js'];

/** A project with secrets inside and outside, a folder with `.git` as docs root, and a git root. */
export async function startSecretsWorld() {
  await using made = new AsyncDisposableStack();
  const secrets = {
    '.env': SECRET,
    '.env.local': SECRET,
    '.git/HEAD': 'ref: refs/heads/main',
    '.git/config': `[remote "origin"]\n\turl = https://me:${SECRET}@host.test/x.git\n`,
    'keys/id.pem': SECRET,
  };
  const project = {
    name: 'harbor',
    tree: { $className: 'DataModel', ReplicatedStorage: { $path: 'src' } },
  };
  const below = (folder: string, files: object): Record<string, string> =>
    Object.fromEntries(Object.entries(files).map(([path, text]) => [`${folder}/${path}`, String(text)]));
  const folder = made.use(
    await tempFolder({
      ...Object.fromEntries(ends.map(end => [`outside/secret${end}`, SECRET])),
      'outside/secret.txt': SECRET,
      'state/studio-keys.json': SECRET,
      'game/default.project.json': JSON.stringify(project),
      'game/.gitignore': 'keys/\n',
      'game/src/Score.luau': 'return 1\n',
      'game/main.pluto': 'fn main() {}\n',
      'game/probe.pluto': probe,
      ...below('game', secrets),
      ...below('game/docs', { ...secrets, '.gitignore': 'keys/\n', 'a.md': 'text\n' }),
    }),
  );
  const at = (path: string): string => join(folder.path, path);
  const links = {
    env: '.env',
    git: '.git',
    key: 'keys/id.pem',
    out: '../outside',
    up: '..',
    state: at('state/studio-keys.json'),
    gone: at('state/missing.json'),
  };
  for (const inside of ['game', 'game/docs'])
    for (const [name, target] of Object.entries(links)) {
      const from = inside === 'game' || !target.startsWith('../') ? target : `../${target}`;
      for (const end of ends) await symlink(from, at(`${inside}/${name}-link${end}`));
    }
  for (const [name, target] of Object.entries(links))
    await symlink(target.startsWith('/') ? target : `../${target}`, at(`game/src/${name}-link.luau`));
  // Files beside a module, which the Pluto tools find by its name.
  for (const end of BESIDE_MODULE) await symlink('keys/id.pem', at(`game/main${end}`));
  const remote = made.use(await gitRemote({ 'b.md': 'text\n', '.env': SECRET, 'sub/.env.local': SECRET }));
  await remote.link('out-link', at('outside'));
  await remote.link('env-link.md', '.env');
  await remote.commit({});
  const roots = rootHost({
    DOCS_ROOTS: 'own,kept',
    ROOT_OWN_PATH: at('game/docs'),
    ROOT_KEPT_GIT_URL: remote.url,
    ROOT_KEPT_GIT_REF: 'main',
    WORKSPACE_DOCS_CACHE: at('cache'),
    WORKSPACE_DOCS_GIT_PROTOCOLS: 'https,file',
  });
  const files = createNodeFileSystem(at('game'), nodeHasher);
  const bridge = made.use(await startBridge({}, { files, roots, loadPluto: loadPlutoToolset }));
  await bridge.connectStudio({ ReplicatedStorage: { className: 'ReplicatedStorage' } });
  const synced = await bridge.call('repo_sync', { root: 'kept' });
  assert.equal(synced.isError, false, synced.text);
  const resources = made.move();
  return { at, bridge, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}

/** Spellings of secrets, of new files beside them, and of links to them. `here`: the folder that contains all of them. */
export function placesOf(here: string): readonly string[] {
  const inside = ['.env', '.env.local', '.git', '.git/config', '.git/new', '.ENV', './x/../.env', 'keys/id.pem'];
  const outside = ['../outside', '../outside/secret.txt', '../state/studio-keys.json', '..'];
  const linked = ['env', 'git', 'key', 'out', 'up', 'state'].map(name => `${name}-link`);
  const through = ['git-link/config', 'out-link/secret.txt', 'out-link/secret', 'out-link/new', 'up-link/state/new'];
  const absolute = [
    'outside/secret.txt',
    'state/studio-keys.json',
    'game/.env',
    'game/docs/.git/config',
    'outside/new',
  ];
  const below = absolute.map(path => join(here, path));
  return [...inside, ...outside, ...linked, ...through, ...below, '/etc/passwd'];
}

/** Places of secrets, each with a similar place where nothing is. */
export const pairsOf = (here: string, end: string): readonly (readonly [there: string, missing: string])[] => [
  ['.env', '.env.missing'],
  ['.git/config', '.git/missing'],
  [`../outside/secret${end}`, `../outside/missing${end}`],
  [`out-link/secret${end}`, `out-link/missing${end}`],
  [`state-link${end}`, `gone-link${end}`],
  [join(here, `outside/secret${end}`), join(here, `outside/missing${end}`)],
];
