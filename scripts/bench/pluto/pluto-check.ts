/** Compares `pluto check` of 1,000 modules (200,000 lines) with the TypeScript compiler; measures checks after edits, and searches for uses. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { nodeHasher as hasher } from '../../../src/adapters/node/hasher.ts';
import type { ProjectPath } from '../../../src/base/brand.ts';
import { Checker } from '../../../src/pluto/language/check/checker.ts';
import { projectSource } from '../../../src/pluto/language/check/project-source.ts';
import { applyEdits } from '../../../src/pluto/language/edit/text-edit.ts';
import { derivedIds } from '../../../src/pluto/language/identity/ids.ts';
import { PlutoProject } from '../../../src/pluto/language/modules/pluto-project.ts';
import type { DeclId } from '../../../src/pluto/language/syntax/ast/node.ts';
import { eachItem, nameOfItem } from '../../../src/pluto/language/syntax/parts.ts';
import { createNodeFileSystem } from '../../../src/adapters/fs/node-file-system.ts';
import { median, type Row } from '../row.ts';
import { plutoQuestions } from './pluto-questions.ts';
import { type GeneratedFile, plutoProject, typeScriptProject } from './generated-project.ts';

const MODULES = 1000;
/** Interleaved rounds, enough that one slow process does not matter. */
const ROUNDS = 7;
const EDITS = 20;
const REFERENCES = 5000;
const { signal } = new AbortController();

export async function plutoCheck(): Promise<readonly Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'pluto-check-'));
  try {
    const files = plutoProject(MODULES);
    write(join(folder, 'pluto'), files);
    write(join(folder, 'ts'), typeScriptProject(MODULES));
    const full = fullCheck(folder, files);
    return [full.row, ...(await questions(join(folder, 'pluto'), files, full.ms))];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function write(folder: string, files: readonly GeneratedFile[]): void {
  for (const { path, text } of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

const linesIn = (files: readonly GeneratedFile[]): number =>
  files.reduce((sum, { text }) => sum + text.split('\n').length - 1, 0);

function fullCheck(folder: string, files: readonly GeneratedFile[]): { readonly row: Row; readonly ms: number } {
  writeFileSync(join(folder, 'ts/package.json'), '{ "type": "module" }\n');
  writeFileSync(
    join(folder, 'ts/tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        target: 'ES2024',
        lib: ['ES2024'],
        types: [],
        module: 'NodeNext',
        strict: true,
        allowImportingTsExtensions: true,
        noEmit: true,
      },
    }),
  );
  const ours: number[] = [];
  const theirs: number[] = [];
  const root = join(import.meta.dirname, '../../..');
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const cli = join(root, 'dist/cli.js');
  const { version } = JSON.parse(readFileSync(join(root, 'node_modules/typescript/package.json'), 'utf8')) as {
    version: string;
  };
  expectFound(cli, join(folder, 'pluto'), files);
  for (let round = 0; round < ROUNDS; round += 1) {
    ours.push(timed(cli, ['pluto', 'check', join(folder, 'pluto')], /^$/));
    theirs.push(timed(tsc, ['--noEmit', '-p', join(folder, 'ts')], /^$/));
  }
  const [mine, other] = [median(ours), median(theirs)];
  return {
    ms: mine,
    row: {
      name: 'pluto check of 1,000 modules against tsc --noEmit on the same in TypeScript',
      unit: 'ratio',
      value: mine / other,
      runs: ROUNDS,
      limit: 1,
      detail: `${mine.toFixed(0)} ms (${range(ours)}), tsc ${version} ${other.toFixed(0)} ms (${range(theirs)}); whole processes, medians of ${ROUNDS} interleaved runs, ${linesIn(files)} lines`,
    },
  };
}

const range = (times: readonly number[]): string =>
  `${Math.min(...times).toFixed(0)} to ${Math.max(...times).toFixed(0)}`;

/** Fails if the check finds no planted error: a check that does nothing is fast too. */
function expectFound(cli: string, folder: string, files: readonly GeneratedFile[]): void {
  const last = files.at(-1);
  if (last === undefined) throw new Error('no file');
  writeFileSync(join(folder, last.path), `${last.text}fn wrong() int { return "text" }\n`);
  const { status, stderr } = spawnSync(process.execPath, [cli, 'pluto', 'check', folder], { encoding: 'utf8' });
  if (status !== 1 || !stderr.includes(last.path)) throw new Error(`pluto check: ${status} ${stderr.slice(0, 500)}`);
  writeFileSync(join(folder, last.path), last.text);
}

function timed(script: string, args: readonly string[], wanted: RegExp): number {
  const began = performance.now();
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], { encoding: 'utf8' });
  const ms = performance.now() - began;
  if (status !== 0 || !wanted.test(stdout))
    throw new Error(`${script}: ${status} ${stdout.slice(0, 500)}${stderr.slice(0, 500)}`);
  return ms;
}

async function questions(folder: string, files: readonly GeneratedFile[], fullMs: number): Promise<readonly Row[]> {
  const project = await PlutoProject.open({ files: createNodeFileSystem(folder, hasher), hasher }, signal);
  await project.loadAll(signal);
  const checker = new Checker(projectSource(project, module => derivedIds(hasher, module)));
  expectNone(checker);
  const again = await recheck(project, checker, folder, files, fullMs);
  return [again, ...(await plutoQuestions(folder)), await rename(folder)];
}

function expectNone(checker: Checker): void {
  const [found] = checker.check();
  if (found !== undefined) throw new Error(`${found.file}: ${found.message}`);
}

/** From the edited text in memory to the diagnostics: parses the file and checks everything that depends on it. */
async function recheck(
  project: PlutoProject,
  checker: Checker,
  folder: string,
  files: readonly GeneratedFile[],
  fullMs: number,
): Promise<Row> {
  const times: number[] = [];
  for (let edit = 0; edit < EDITS; edit += 1) {
    const file = files[(edit * 37 + 11) % files.length];
    if (file === undefined) throw new Error('no file');
    writeFileSync(join(folder, file.path), file.text.replace('longest = 0', `longest = ${edit + 7}`));
    await project.refresh(signal, new Set([file.path as ProjectPath]));
    const began = performance.now();
    expectNone(checker);
    times.push(performance.now() - began);
  }
  return {
    name: 'pluto check again after an edit of one body',
    unit: 'ms',
    value: median(times),
    runs: EDITS,
    limit: Math.max(50, fullMs / 100),
    detail: `longest ${Math.max(...times).toFixed(1)} ms, after a full check of ${fullMs.toFixed(0)} ms`,
  };
}

function idsOf(project: PlutoProject, name: RegExp): readonly DeclId[] {
  const ids: DeclId[] = [];
  for (const state of project.loaded)
    if (state.kind === 'loaded')
      eachItem(state.module.tree.items, item => {
        if (item.id !== undefined && name.test(nameOfItem(item))) ids.push(item.id);
      });
  return ids;
}

/** Renames a method that every file calls. */
async function rename(folder: string): Promise<Row> {
  const own = join(folder, '../rename');
  const calls = Array.from({ length: REFERENCES / 100 }, (_, file) => ({
    path: `use${file}.pt`,
    text: `import lib\n${Array.from({ length: 100 }, (_call, index) => `fn f${file}x${index}(p: lib.Point) int { return p.size() + ${index} }\n`).join('')}`,
  }));
  write(own, [{ path: 'lib.pt', text: 'pub class Point {\n    fn size(self) int { return 1 }\n}\n' }, ...calls]);
  const project = await PlutoProject.open({ files: createNodeFileSystem(own, hasher), hasher }, signal);
  await project.loadAll(signal);
  const checker = new Checker(projectSource(project, module => derivedIds(hasher, module)));
  expectNone(checker);
  const [id] = idsOf(project, /^size$/);
  if (id === undefined) throw new Error('no method');
  const began = performance.now();
  const edits = checker.renameEdits(id, 'extent');
  let changed = 0;
  for (const state of project.loaded)
    if (state.kind === 'loaded') {
      const list = edits.get(state.path) ?? [];
      changed += list.length;
      writeFileSync(join(own, state.path), applyEdits(state.module.text, list));
    }
  const ms = performance.now() - began;
  await project.refresh(signal);
  expectNone(checker);
  if (changed !== REFERENCES + 1) throw new Error(`${changed} places`);
  return {
    name: 'pluto rename with 5,000 references',
    unit: 'ms',
    value: ms,
    runs: 1,
    limit: 1000,
    detail: `${edits.size} files written; the project has no errors afterwards`,
  };
}
