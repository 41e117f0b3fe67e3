/** Builds `studio-plugin/src` into `dist/AtlasBridge.rbxmx`: a Script with its ModuleScripts below it. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { argv } from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = new URL('../', import.meta.url);

/** A CDATA section. `]]>` would end it, so it is split over two sections. */
const cdata = (text: string): string => `<![CDATA[${text.replaceAll(']]>', ']]]]><![CDATA[>')}]]>`;
const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

interface Item {
  readonly className: 'Script' | 'ModuleScript' | 'Folder';
  readonly name: string;
  readonly source?: string;
  readonly children: readonly Item[];
}

function toXml(item: Item, indent: string, referent: { next: number }): string {
  const id = `RBX${referent.next++}`;
  const source =
    item.source === undefined ? '' : `<ProtectedString name="Source">${cdata(item.source)}</ProtectedString>`;
  const children = item.children.map(child => toXml(child, `${indent}  `, referent)).join('');
  const name = `<string name="Name">${escape(item.name)}</string>`;
  return `${indent}<Item class="${item.className}" referent="${id}"><Properties>${name}${source}</Properties>\n${children}${indent}</Item>\n`;
}

/** Reads a folder. `init.luau` and `init.server.luau` are the source of the folder; every other file is a module. */
async function readFolder(folder: string, name: string): Promise<Item> {
  const entries = (await readdir(folder, { withFileTypes: true })).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const children: Item[] = [];
  let own: Pick<Item, 'className' | 'source'> = { className: 'Folder' };
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) children.push(await readFolder(path, entry.name));
    else if (entry.name === 'init.server.luau') own = { className: 'Script', source: await readFile(path, 'utf8') };
    else if (entry.name === 'init.luau') own = { className: 'ModuleScript', source: await readFile(path, 'utf8') };
    else if (entry.name.endsWith('.luau'))
      children.push({
        className: 'ModuleScript',
        name: entry.name.slice(0, -'.luau'.length),
        source: await readFile(path, 'utf8'),
        children: [],
      });
  }
  return { ...own, name, children };
}

/** Builds the text of the plugin file. */
export async function buildStudioPlugin(): Promise<string> {
  const plugin = await readFolder(fileURLToPath(new URL('studio-plugin/src', root)), 'AtlasBridge');
  return `<roblox version="4">\n${toXml(plugin, '  ', { next: 0 })}</roblox>\n`;
}

if (argv[1] !== undefined && import.meta.url === pathToFileURL(argv[1]).href) {
  const file = fileURLToPath(new URL('dist/AtlasBridge.rbxmx', root));
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, await buildStudioPlugin());
  console.log(file);
}
