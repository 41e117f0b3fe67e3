/** One row of the table in docs/architecture.md, for one folder or one file at the top of `src`. */
export interface ImportRule {
  /** Relative to `src`; `*` matches one name. */
  readonly folder: string;
  readonly may:
    | { readonly kind: 'only'; readonly folders: ReadonlyMap<string, 'all' | 'types'> }
    | { readonly kind: 'allBut'; readonly folders: readonly string[] };
  /** `node:*` matches every module of Node. */
  readonly packages: readonly string[];
}

/** The files of each room that other rooms may import, relative to `src`. */
export type Doors = ReadonlyMap<string, ReadonlySet<string>>;

/** Reads the table of doors in docs/architecture.md. @throws Error if it is missing */
export function parseDoors(markdown: string): Doors {
  const rows = tableRows(markdown, /^\|\s*Room\s*\|\s*Doors\s*\|$/, 'Room | Doors');
  return new Map(
    rows.flatMap(line => {
      const [rooms = '', doors = ''] = line.split('|').slice(1, -1);
      return quoted(rooms).map(({ name }) => [name, new Set(quoted(doors).map(door => door.name))] as const);
    }),
  );
}

/** Reads the import table in docs/architecture.md, so that the document and the check are always equal. @throws Error if it is missing */
export function parseImportTable(markdown: string): readonly ImportRule[] {
  const head = /^\|\s*Folder\s*\|\s*may import\s*\|\s*packages\s*\|$/;
  return tableRows(markdown, head, 'Folder | may import | packages').flatMap(parseRow);
}

function tableRows(markdown: string, head: RegExp, name: string): readonly string[] {
  const lines = markdown.split('\n');
  const start = lines.findIndex(line => head.test(line));
  if (start === -1) throw new Error(`docs/architecture.md has no table "${name}".`);
  const rows = lines.slice(start + 2);
  const end = rows.findIndex(line => !line.startsWith('|'));
  return rows.slice(0, end === -1 ? undefined : end);
}

function parseRow(line: string): readonly ImportRule[] {
  const [folders, may, packages, ...rest] = line.split('|').slice(1, -1);
  if (folders === undefined || may === undefined || packages === undefined || rest.length > 0)
    throw new Error(`docs/architecture.md: expected three cells: ${line}`);
  return quoted(folders).map(({ name }) => ({
    folder: name,
    may: may.includes('everything but')
      ? { kind: 'allBut', folders: quoted(may).map(item => item.name) }
      : {
          kind: 'only',
          folders: new Map(quoted(may).map(item => [item.name, item.note === 'types' ? 'types' : 'all'])),
        },
    packages: quoted(packages).map(item => item.name),
  }));
}

/** Every `name` of a cell, with the word in parentheses after it. */
function quoted(cell: string): readonly { readonly name: string; readonly note: string | undefined }[] {
  return Array.from(cell.matchAll(/`([^`]+)`(?:\s*\((\w+)\))?/g), match => ({ name: match[1]!, note: match[2] }));
}

/** Whether `path` (relative to `src`) is the folder or file, or inside the folder. */
export function isWithin(path: string, folder: string): boolean {
  // Every import is compared with every row.
  if (!folder.includes('*')) return path === folder || path.startsWith(`${folder}/`);
  const wanted = folder.split('/');
  const names = path.split('/');
  return wanted.length <= names.length && wanted.every((name, index) => name === '*' || name === names[index]);
}

/** The row for a file: the longest that matches, with a name preferred to a `*`. */
export function ruleFor(table: readonly ImportRule[], path: string): ImportRule | undefined {
  const weight = (rule: ImportRule): number => rule.folder.split('/').length * 2 - (rule.folder.includes('*') ? 1 : 0);
  return table.filter(rule => isWithin(path, rule.folder)).sort((a, b) => weight(b) - weight(a))[0];
}

/** The folder of a row for a file: for `adapters/*`, the folder that contains the file. */
export function ownFolder(rule: ImportRule, path: string): string {
  return path.split('/').slice(0, rule.folder.split('/').length).join('/');
}
