import type { Param } from '../syntax/ast/code.ts';
import type {
  Contract,
  Decl,
  Dep,
  Field,
  MethodDecl,
  ParsedModule,
  Receiver,
  RequiredMethod,
  StageDecl,
  ClassDecl,
  TypeParam,
} from '../syntax/ast/decl.ts';
import type { Type } from '../syntax/ast/type.ts';
import { concat, type Doc, hardLine, nest, render } from './doc.ts';
import { body, braces, entriesOf, joinEntries, Layout, list, parens, square } from './layout.ts';
import { noContext, condition, printExpr, printParams } from './print-expression.ts';
import { printBlock } from './print-statement.ts';
import { printPath, printType } from './print-type.ts';

/**
 * The canonical text of a module: four spaces, one empty line between declarations, 100 columns, every comment, one newline at the end.
 * Printing the result again does not change it. Parts that do not parse stay as written.
 */
export function printModule({ text, tree, comments }: Pick<ParsedModule, 'text' | 'tree' | 'comments'>): string {
  const layout = new Layout(text, comments, printBlock);
  const entries = entriesOf(layout, tree.items, Infinity, item => printDecl(layout, item), wantsBlank);
  const printed = render(joinEntries(entries));
  return printed === '' ? '' : `${printed}\n`;
}

/** One declaration of a module in canonical form, with the comments inside it; no newline at the end. */
export function printDeclaration(
  { text, comments }: Pick<ParsedModule, 'text' | 'comments'>,
  decl: Decl | Member,
): string {
  const layout = new Layout(text, comments, printBlock);
  layout.skipCommentsBefore(decl.start);
  return render(isDecl(decl) ? printDecl(layout, decl) : printMember(layout, decl));
}

const isDecl = (node: Decl | Member): node is Decl => node.kind.endsWith('Decl') && node.kind !== 'MethodDecl';

const wantsBlank = (before: Decl, item: Decl): boolean =>
  before.kind !== item.kind || (item.kind !== 'ImportDecl' && item.kind !== 'ExternDecl');

function printDecl(layout: Layout, decl: Decl): Doc {
  switch (decl.kind) {
    case 'ImportDecl':
      return `import ${printPath(decl.path)}${decl.alias === undefined ? '' : ` as ${decl.alias.text}`}`;
    case 'FunctionDecl': {
      const { name, params, result, contracts } = decl;
      const head = `${pub(decl.isPub)}fn ${name.text}${printTypeParams(decl.typeParams)}`;
      const signature = printParams(layout, params, endOfParams(decl));
      return concat(
        head,
        signature,
        printResult(result),
        printContracts(layout, contracts),
        printBlock(layout, decl.body),
      );
    }
    case 'ClassDecl':
      return concat(printClassHead(layout, decl), printMembers(layout, decl.members, decl.end));
    case 'TraitDecl':
      return concat(`${pub(decl.isPub)}trait ${decl.name.text} `, printMembers(layout, decl.members, decl.end));
    case 'EnumDecl': {
      const variants = entriesOf(layout, decl.variants, decl.end, ({ name, fields, end }) =>
        fields === undefined ? name.text : concat(name.text, ' ', printFieldList(layout, fields, end)),
      );
      return concat(`${pub(decl.isPub)}enum ${decl.name.text}${printTypeParams(decl.typeParams)} `, body(variants));
    }
    case 'ErrorDecl':
      return concat(`${pub(decl.isPub)}error ${decl.name.text} `, printFieldList(layout, decl.fields, decl.end));
    case 'ExternDecl': {
      const end = decl.result?.start ?? decl.end;
      return concat(
        `${pub(decl.isPub)}extern fn ${decl.name.text}`,
        printParams(layout, decl.params, end),
        printResult(decl.result),
      );
    }
    case 'AppDecl':
      return concat(
        `app ${decl.name.text}`,
        printDeps(layout, decl.deps),
        ' ',
        printMembers(layout, decl.members, decl.end),
      );
    case 'StageDecl': {
      const parent = decl.parent === undefined ? '' : ` : ${decl.parent.text}`;
      const head = concat(`stage ${decl.name.text}${parent}`, printDeps(layout, decl.deps), ' ');
      return concat(head, printMembers(layout, decl.members, decl.end));
    }
    case 'SystemDecl': {
      const members = entriesOf(layout, decl.members, decl.end, ({ name, module }) => `${name.text}: ${module.text}`);
      return concat(`system ${decl.name.text} `, body(members));
    }
    case 'TestDecl':
      return concat(`test ${decl.title.raw} `, printBlock(layout, decl.body));
    case 'TestsDecl': {
      const tests = entriesOf(
        layout,
        decl.tests,
        decl.end,
        test => printDecl(layout, test),
        () => true,
      );
      return concat(`tests[scheduler: ${decl.strategy.text}] `, body(tests));
    }
    case 'BrokenDecl':
      return layout.slice(decl);
  }
}

const pub = (isPub: boolean): string => (isPub ? 'pub ' : '');
/** The type of the result after a space; empty without one. */
const printResult = (result: Type | undefined): string => (result === undefined ? '' : ` ${printType(result)}`);

/** After contracts the opening brace of the body is on a separate line. */
function printContracts(layout: Layout, contracts: readonly Contract[]): Doc {
  if (contracts.length === 0) return ' ';
  return concat(printClauses(layout, contracts), hardLine);
}

const printClauses = (layout: Layout, contracts: readonly Contract[]): Doc =>
  concat(
    ...entriesOf(layout, contracts, 0, contract =>
      concat('requires ', printExpr(layout, contract.condition, condition)),
    ).map(({ doc }) => nest(concat(hardLine, doc))),
  );

function printTypeParams(params: readonly TypeParam[]): string {
  if (params.length === 0) return '';
  const texts = params.map(({ name, bounds }) =>
    bounds.length === 0 ? name.text : `${name.text}: ${bounds.map(({ text }) => text).join(' + ')}`,
  );
  return `<${texts.join(', ')}>`;
}

function printDeps(layout: Layout, deps: readonly Dep[]): Doc {
  const last = deps.at(-1);
  if (last === undefined) return '';
  return list(layout, square, deps, last.end, printDep);
}

const printDep = ({ name, isRemote, type }: Dep): string =>
  `${name.text}: ${isRemote ? 'remote ' : ''}${printType(type)}`;

function printClassHead(layout: Layout, decl: ClassDecl): Doc {
  const lifecycle = decl.lifecycle === 'singleton' ? '' : `${decl.lifecycle} `;
  const names = (word: string, list: ClassDecl['uses']): string =>
    list.length === 0 ? '' : ` ${word} ${list.map(({ text }) => text).join(', ')}`;
  const head = `${pub(decl.isPub)}${lifecycle}class ${decl.name.text}${printTypeParams(decl.typeParams)}${names('uses', decl.uses)}`;
  const deps = printDeps(layout, decl.deps);
  return concat(head, decl.uses.length > 0 && deps !== '' ? ' ' : '', deps, names('impl', decl.impls), ' ');
}

const printFieldList = (layout: Layout, fields: readonly Field[], end: number): Doc =>
  list(layout, braces, fields, end, ({ name, type }) => `${name.text}: ${printType(type)}`);

type Member = ClassDecl['members'][number] | StageDecl['members'][number];

const printMembers = (layout: Layout, members: readonly Member[], end: number): Doc =>
  body(
    entriesOf(
      layout,
      members,
      end,
      member => printMember(layout, member),
      (before, member) => isLong(before) || isLong(member),
    ),
  );

const isLong = (member: Member): boolean => member.kind === 'MethodDecl' && member.body !== undefined;

function printMember(layout: Layout, member: Member): Doc {
  switch (member.kind) {
    case 'Field':
      return `${member.name.text}: ${printType(member.type)}`;
    case 'Invariant':
      return concat('invariant ', printExpr(layout, member.condition, noContext));
    case 'AmbientItem':
      return `ambient ${member.name.text}`;
    case 'LifecycleItem':
      return `${member.lifecycle} ${member.name.text}`;
    case 'RequiredMethod': {
      const head = `${pub(member.isPub)}requires fn ${member.name.text}`;
      return concat(head, printSignature(layout, member), printResult(member.result));
    }
    case 'MethodDecl': {
      const head = `${pub(member.isPub)}${member.isOverride ? 'override ' : ''}fn ${member.name.text}`;
      const signature = concat(head, printSignature(layout, member), printResult(member.result));
      if (member.body === undefined) return concat(signature, printClauses(layout, member.contracts));
      return concat(signature, printContracts(layout, member.contracts), printBlock(layout, member.body));
    }
  }
}

const printSignature = (layout: Layout, method: MethodDecl | RequiredMethod): Doc => {
  const items: readonly (Receiver | Param)[] =
    method.receiver === undefined ? method.params : [method.receiver, ...method.params];
  const end = items.length === 0 ? 0 : endOfParams(method);
  return list(layout, parens, items, end, item =>
    item.kind === 'Receiver' ? `${item.isMut ? 'mut ' : ''}self` : `${item.name.text}: ${printType(item.type)}`,
  );
};

/** Comments up to this offset belong to the list of parameters. */
function endOfParams({ params, receiver }: { params: readonly Param[]; receiver?: Receiver | undefined }): number {
  return (params.at(-1) ?? receiver)?.end ?? 0;
}
