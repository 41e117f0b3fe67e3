import { posix } from 'node:path';
import { findCycle } from './cycles.ts';
import { type Doors, type ImportRule, isWithin, ownFolder, ruleFor } from './import-table.ts';
import { type ImportOf, type SourceFile, targetOf } from './source-file.ts';

/** A broken rule of the architecture; the message says what to do instead. */
export interface Violation {
  readonly rule: string;
  readonly file: string;
  readonly message: string;
}
export interface Sources {
  readonly files: readonly SourceFile[];
  readonly table: readonly ImportRule[];
  readonly doors: Doors;
}
type Check = (sources: Sources) => readonly Violation[];

export const MAX_LINES = 500;
/** Entries whose start time is mostly loading: each command, or program, loads only its own code. */
const lazyEntries = ['src/pluto/cli/pluto.ts', 'src/pluto/cli/run-alone.ts', 'src/pluto/workers/program-worker.ts'];
const roots = ['src/app/app.ts', 'src/cli.ts', 'src/cli/main.ts', 'src/extension.ts', 'src/extension/activate.ts'];
const platforms = new Set(['node:*', 'vscode', 'preact']);
const bannedNames =
  'process console fetch Buffer performance setTimeout setInterval setImmediate queueMicrotask clearTimeout clearInterval ' +
  'require window document crypto structuredClone Date.now Math.random';
const bannedInPure = new Set(['new Date', ...bannedNames.split(' ')]);

const inSrc = ({ path }: Pick<SourceFile, 'path'>): boolean => path.startsWith('src/') && !path.endsWith('.d.ts');
const belowSrc = (path: string): string => path.slice('src/'.length);
const at = (file: SourceFile, line: number): string => `${file.path}:${line}`;

function eachImport({ files }: Sources, visit: (file: SourceFile, use: ImportOf) => string | undefined, rule: string) {
  return files.flatMap(file =>
    file.imports.flatMap((use): Violation[] => {
      const message = visit(file, use);
      return message === undefined ? [] : [{ rule, file: at(file, use.line), message }];
    }),
  );
}

const eachFile = (files: readonly SourceFile[], rule: string, visit: (file: SourceFile) => string | undefined) =>
  files.flatMap((file): Violation[] => {
    const message = visit(file);
    return message === undefined ? [] : [{ rule, file: file.path, message }];
  });

/** The probe that measures the extension host is an extension too. */
const probe = 'scripts/bench/extension-host/probe/';

/** The checks by rule. */
export const checks: Readonly<Record<string, Check>> = {
  'every file of src has a row in the table': ({ files, table }) =>
    eachFile(files.filter(inSrc), 'every file of src has a row in the table', file =>
      ruleFor(table, belowSrc(file.path)) === undefined
        ? 'Add a row to docs/architecture.md, or move the file to a folder that has one.'
        : undefined,
    ),

  'imports follow the table': sources =>
    eachImport(
      sources,
      (file, use) => {
        const target = targetOf(file.path, use.specifier);
        const rule = inSrc(file) ? ruleFor(sources.table, belowSrc(file.path)) : undefined;
        if (target === undefined || rule === undefined) return undefined;
        if (!target.startsWith('src/')) return `src must not import from outside src, but this imports ${target}.`;
        return forbidden(rule, belowSrc(file.path), belowSrc(target), use.isType);
      },
      'imports follow the table',
    ),

  'rooms are entered by their doors': sources =>
    eachImport(
      sources,
      (file, use) => {
        const target = inSrc(file) ? targetOf(file.path, use.specifier) : undefined;
        if (target === undefined || !target.startsWith('src/')) return undefined;
        const [room = ''] = belowSrc(target).split('/');
        const doors = sources.doors.get(room);
        return doors === undefined || isWithin(belowSrc(file.path), room) || doors.has(belowSrc(target))
          ? undefined
          : `${belowSrc(target)} is not a door of ${room}: import one of ${Array.from(doors).join(', ')}.`;
      },
      'rooms are entered by their doors',
    ),

  'packages follow the table': sources =>
    eachImport(
      sources,
      (file, use) => {
        const rule = inSrc(file) ? ruleFor(sources.table, belowSrc(file.path)) : undefined;
        if (rule === undefined || targetOf(file.path, use.specifier) !== undefined) return undefined;
        const name = packageOf(use.specifier);
        return rule.packages.includes(name)
          ? undefined
          : `${rule.folder} may use ${rule.packages.join(', ') || 'no package'}, not ${name}.`;
      },
      'packages follow the table',
    ),

  'vscode stays at the edge': sources =>
    eachImport(
      sources,
      ({ path }, { specifier }) =>
        specifier === 'vscode' &&
        !/^src\/(?:[a-z-]+\/)?vscode\//.test(path) &&
        !['src/extension/', 'src/extension.ts', 'test/host/', probe].some(place => path.startsWith(place))
          ? 'Only src/extension.ts, src/extension, the vscode folders and test/host import vscode, types included: add a port.'
          : undefined,
      'vscode stays at the edge',
    ),

  'tests leave the extension to the host': sources =>
    eachImport(
      sources,
      (file, use) =>
        !/^(?:test\/host\/|src\/extension[./])/.test(file.path) &&
        /^src\/extension[./]/.test(targetOf(file.path, use.specifier) ?? '')
          ? 'Only in-host tests can load the extension; test its parts instead.'
          : undefined,
      'tests leave the extension to the host',
    ),

  'programs do not depend on tests': sources =>
    eachImport(
      sources,
      (file, use) =>
        file.path.startsWith('scripts/') && targetOf(file.path, use.specifier)?.startsWith('test/') === true
          ? 'Scripts must not import tests: move the shared code to scripts.'
          : undefined,
      'programs do not depend on tests',
    ),

  'no cycles between files': ({ files }) => {
    const known = new Set(files.map(file => file.path));
    const edges = new Map(
      files.map(file => [
        file.path,
        file.imports.flatMap(use => targetOf(file.path, use.specifier) ?? []).filter(path => known.has(path)),
      ]),
    );
    return cycleViolations('no cycles between files', edges);
  },

  'no cycles between folders': ({ files }) => {
    const known = new Set(files.map(file => file.path));
    const edges = new Map<string, string[]>();
    for (const file of files.filter(({ path }) => inSrc({ path }) && !roots.includes(path))) {
      const from = posix.dirname(file.path);
      const targets = file.imports
        .flatMap(use => targetOf(file.path, use.specifier) ?? [])
        .filter(path => known.has(path));
      const to = targets.map(path => posix.dirname(path)).filter(folder => folder !== from);
      edges.set(from, [...(edges.get(from) ?? []), ...to]);
    }
    return cycleViolations('no cycles between folders', edges);
  },

  'no default exports': ({ files }) =>
    eachFile(files, 'no default exports', file =>
      file.defaultExportLine === undefined ? undefined : `Line ${file.defaultExportLine}: use a named export.`,
    ),

  'no barrels': ({ files }) =>
    eachFile(files, 'no barrels', file =>
      file.starExportLine !== undefined || file.isBarrel
        ? 'Import from the file that declares it instead of re-exporting it.'
        : undefined,
    ),

  'dynamic imports only in composition roots': sources =>
    eachImport(
      sources,
      (file, use) =>
        use.kind === 'dynamic' && inSrc(file) && ![...roots, ...lazyEntries].includes(file.path)
          ? `Only ${[...roots, ...lazyEntries].join(', ')} may use import().`
          : undefined,
      'dynamic imports only in composition roots',
    ),

  'files stay short': ({ files }) =>
    eachFile(files, 'files stay short', file =>
      file.lines > MAX_LINES && !file.path.includes('.generated.')
        ? `${file.lines} lines (at most ${MAX_LINES}): split it by topic.`
        : undefined,
    ),

  'pure layers touch no platform': ({ files, table }) =>
    files
      .filter(file => inSrc(file) && isPure(ruleFor(table, belowSrc(file.path))))
      .flatMap(file =>
        file.globals
          .filter(use => bannedInPure.has(use.name))
          .map(use => ({
            rule: 'pure layers touch no platform',
            file: at(file, use.line),
            message: `Use a port instead of ${use.name}.`,
          })),
      ),

  'file names are specific': ({ files }) =>
    eachFile(files, 'file names are specific', ({ path }) => {
      const name = path
        .slice(path.lastIndexOf('/') + 1)
        .replace(/\.(?:generated\.|(?:slow\.)?test\.|contract\.|d\.)?tsx?$/, '');
      if (!/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name)) return 'File names are kebab-case.';
      return /(?:^|-)(?:managers?|helpers?|utils?|common|services?)$|^index$/.test(name)
        ? 'Name it after its main export.'
        : undefined;
    }),
};

/** Whether a folder may use platform globals: only if its row has a platform package. */
function isPure(rule: ImportRule | undefined): boolean {
  return rule?.packages.every(name => !platforms.has(name)) === true;
}

function forbidden(rule: ImportRule, from: string, to: string, isType: boolean): string | undefined {
  // Files at the top of `src` have no folder.
  if (from.includes('/') && isWithin(to, ownFolder(rule, from))) return undefined;
  if (rule.may.kind === 'allBut') {
    const hit = rule.may.folders.find(folder => isWithin(to, folder));
    return hit === undefined
      ? undefined
      : `${rule.folder} may import everything but ${rule.may.folders.join(', ')}; this imports ${to}.`;
  }
  const grants = Array.from(rule.may.folders).filter(([folder]) => isWithin(to, folder));
  if (grants.length === 0)
    return `${rule.folder} may import ${Array.from(rule.may.folders.keys()).join(', ') || 'nothing'}; this imports ${to}.`;
  return isType || grants.some(([, what]) => what === 'all')
    ? undefined
    : `${rule.folder} may import only types of ${to}: use "import type".`;
}

function packageOf(specifier: string): string {
  if (specifier.startsWith('node:')) return 'node:*';
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

function cycleViolations(rule: string, edges: ReadonlyMap<string, readonly string[]>): readonly Violation[] {
  const cycle = findCycle(edges);
  return cycle === undefined
    ? []
    : [{ rule, file: cycle[0]!, message: `${cycle.join(' → ')}: move the shared code to a third file.` }];
}
