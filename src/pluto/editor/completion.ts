import type { LoadedModule } from '../language/modules/load-module.ts';
import { stemOf } from '../language/modules/folder-index.ts';
import { stdNames } from '../language/std/std-modules.ts';
import { PRELUDE_PATH } from '../language/std/std-path.ts';
import { isItem, type Item, kindNames, nameOfItem, partsOf } from '../language/syntax/parts.ts';
import { keywords } from '../language/syntax/token.ts';
import type { CompletionAnswer } from './answers.ts';
import type { EditorModules } from './editor-modules.ts';
import { detailOf } from './outline.ts';
import { everyItem } from './targets.ts';
import { startOfWord } from './words.ts';

const primitives = [
  'int',
  'float',
  'bool',
  'string',
  'void',
  'byte',
  'bytes',
  'Map',
  'Set',
  'Task',
  'Sender',
  'Receiver',
];
const owners: ReadonlySet<Item['kind']> = new Set<Item['kind']>([
  'ClassDecl',
  'TraitDecl',
  'EnumDecl',
  'ErrorDecl',
  'AppDecl',
  'StageDecl',
]);

/** The completions at a position: members after a dot, modules after `import`, otherwise keywords and names. */
export function completionsAt(
  modules: EditorModules,
  module: LoadedModule,
  offset: number,
): readonly CompletionAnswer[] {
  const { text } = module.module;
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  if (/^\s*import\s+std\.\w*$/.test(line)) return stdNames.map(label => ({ label, kind: 'import', detail: 'std' }));
  if (/^\s*import\s+\w*$/.test(line)) return importable(modules, module);
  if (/(?:^|[^:])\/\/|"[^"]*$/.test(line.replaceAll(/"(?:[^"\\]|\\.)*"/g, ''))) return [];
  const dot = startOfWord(text, offset) - 1;
  const start = text.charAt(dot) === '.' ? startOfWord(text, dot, /[\w)\]"]/) : dot;
  return start === dot ? plainNames(modules, module) : membersBehind(modules, module, dot, text.slice(start, dot));
}

function importable({ project }: EditorModules, module: LoadedModule): readonly CompletionAnswer[] {
  const names = project.files.filter(path => path !== module.path && !path.includes('/')).map(stemOf);
  return ['std', ...new Set(names)].map(label => ({ label, kind: 'import', detail: '' }));
}

function plainNames(modules: EditorModules, module: LoadedModule): readonly CompletionAnswer[] {
  const found = new Map<string, CompletionAnswer>();
  const put = (answer: CompletionAnswer): void => void (answer.label === '' || found.set(answer.label, answer));
  for (const label of keywords) put({ label, kind: 'keyword', detail: '' });
  for (const label of primitives) put({ label, kind: 'type', detail: '' });
  for (const one of [modules.module(PRELUDE_PATH), module])
    for (const item of one?.module.tree.items ?? [])
      if (one !== undefined && isItem(item) && item.kind !== 'TestDecl' && item.kind !== 'TestsDecl')
        put(answerOf(one, item));
  return Array.from(found.values());
}

/** Public declarations of a module, variants of an enum, or members of the type of the expression before the dot. */
function membersBehind(
  modules: EditorModules,
  module: LoadedModule,
  dot: number,
  before: string,
): readonly CompletionAnswer[] {
  const bound = modules.project.importsOf(module).find(({ binding }) => binding === before);
  if (bound?.target !== undefined)
    return bound.target.files.flatMap(path => {
      const one = modules.module(path);
      const items = one?.module.tree.items.filter(isItem) ?? [];
      return one === undefined
        ? []
        : items.filter(item => 'isPub' in item && item.isPub).map(item => answerOf(one, item));
    });
  const type = modules.checker.typeAt(module.path, dot)?.type ?? '';
  const name = /(\w+)(?:<.*>)?\??$/.exec(type === '' ? before : type)?.[1];
  for (const { module: one, item } of everyItem(modules))
    if (owners.has(item.kind) && nameOfItem(item) === name) return partsOf(item).map(part => answerOf(one, part));
  return [];
}

const answerOf = ({ module }: LoadedModule, item: Item): CompletionAnswer => ({
  label: nameOfItem(item),
  kind: kindNames[item.kind],
  detail: detailOf(module.text, item),
});
