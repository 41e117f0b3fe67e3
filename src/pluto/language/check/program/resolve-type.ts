import type { Name } from '../../syntax/ast/node.ts';
import type { NamedType, Type as TypeNode } from '../../syntax/ast/type.ts';
import type { Reporter } from '../report/check-codes.ts';
import {
  classOf,
  enumOf,
  fnOf,
  listOf,
  mapOf,
  nullableOf,
  primitives,
  traitOf,
  UNKNOWN,
  VOID,
  wrap,
} from '../types/make.ts';
import type { ClassSymbol, EnumSymbol, TraitSymbol, Type } from '../types/type.ts';
import type { ProgramFile } from './program-file.ts';
import type { Program } from './program.ts';

/** The scope in which a type is resolved. */
export interface TypeScope {
  readonly program: Program;
  readonly file: ProgramFile;
  /** The type parameters in scope: themselves, or the type arguments of an instance. */
  readonly typeParams: ReadonlyMap<string, Type>;
}

/** Resolves a type node; `unknown` if it is invalid, which is reported to `reporter` if there is one. */
export function resolveType(scope: TypeScope, node: TypeNode, reporter?: Reporter): Type {
  switch (node.kind) {
    case 'ListType':
      return listOf(resolveType(scope, node.element, reporter));
    case 'StreamType':
      return wrap('stream', resolveType(scope, node.element, reporter));
    case 'FnType':
      return fnOf(
        node.params.map(param => resolveType(scope, param, reporter)),
        node.result === undefined ? VOID : resolveType(scope, node.result, reporter),
      );
    case 'NullableType': {
      const inner = resolveType(scope, node.inner, reporter);
      if (inner.kind === 'void') {
        reporter?.report('nullable-nested', node, 'void? is not allowed: void has no value');
        return UNKNOWN;
      }
      if (inner.kind === 'nullable')
        reporter?.report('nullable-nested', node, `nested nullable type: the type before '?' is already nullable`);
      return nullableOf(inner);
    }
    case 'NamedType':
      return resolveNamed(scope, node, reporter);
    default:
      return UNKNOWN;
  }
}

const WRAPS = { Set: 'set', Task: 'task', Sender: 'sender', Receiver: 'receiver' } as const;
const isWrap = (name: string): name is keyof typeof WRAPS => Object.hasOwn(WRAPS, name);

function resolveNamed(scope: TypeScope, node: NamedType, reporter: Reporter | undefined): Type {
  const [first] = node.path;
  if (first === undefined || first.text === '') return UNKNOWN;
  const name = first.text;
  if (node.path.length === 1) {
    if (node.args.length === 0) {
      const simple = primitives.get(name) ?? scope.typeParams.get(name);
      if (simple !== undefined) return simple;
    }
    if (name === 'Map' || isWrap(name)) {
      const args = node.args.map(arg => resolveType(scope, arg, reporter));
      const wanted = name === 'Map' ? 2 : 1;
      if (args.length !== wanted) {
        reporter?.report('type-arguments', node, `${name} expects ${wanted} type argument(s), got ${args.length}`);
        return UNKNOWN;
      }
      const [one = UNKNOWN, two = UNKNOWN] = args;
      return name === 'Map' ? mapOf(one, two) : wrap(WRAPS[name], one);
    }
  }
  const symbol = findTypeSymbol(scope, node.path, reporter);
  const args = node.args.map(arg => resolveType(scope, arg, reporter));
  if (symbol === undefined) {
    const isOpen = node.path.length > 1 && scope.program.isUnresolved(scope.file, name);
    if (reporter !== undefined && !isOpen) reportUnknown(node, reporter);
    return UNKNOWN;
  }
  return typeOfSymbol(symbol, args, node, reporter);
}

function reportUnknown(node: NamedType, reporter: Reporter): void {
  const name = node.path.map(({ text }) => text).join('.');
  if (node.path.some(({ text }) => text === '')) return;
  reporter.report(
    'type-unknown',
    node,
    node.args.length > 0 ? `unknown generic type '${name}'` : `unknown type '${name}'`,
  );
}

function typeOfSymbol(
  symbol: ClassSymbol | EnumSymbol | TraitSymbol,
  args: readonly Type[],
  node: NamedType,
  reporter: Reporter | undefined,
): Type {
  if (symbol.kind === 'TraitDecl') {
    if (args.length > 0)
      reporter?.report('type-unknown', node, `unknown generic type '${symbol.name}': traits are not generic`);
    return traitOf(symbol);
  }
  const wanted = symbol.decl.typeParams.length;
  if (wanted !== args.length) {
    const problem =
      args.length === 0
        ? `unknown type '${symbol.name}': it is generic and expects ${wanted} type argument(s)`
        : wanted === 0
          ? `unknown generic type '${symbol.name}': it takes no type arguments`
          : `'${symbol.name}' expects ${wanted} type argument(s), got ${args.length}`;
    reporter?.report(args.length > 0 && wanted > 0 ? 'type-arguments' : 'type-unknown', node, problem);
    return UNKNOWN;
  }
  return symbol.kind === 'ClassDecl' ? classOf(symbol, args) : enumOf(symbol, args);
}

/** Resolves `Name` or `module.Name` to a class, enum or trait. */
export function findTypeSymbol(
  { program, file }: TypeScope,
  path: readonly Name[],
  reporter?: Reporter,
): ClassSymbol | EnumSymbol | TraitSymbol | undefined {
  const [first, second] = path;
  if (first === undefined) return undefined;
  if (second === undefined) return program.find(file, first.text, 'ClassDecl', 'EnumDecl', 'TraitDecl');
  const module = path.length === 2 ? program.module(file, first.text) : undefined;
  if (module === undefined) return undefined;
  const symbol = program.findIn(module, second.text, 'ClassDecl', 'EnumDecl', 'TraitDecl');
  if (symbol !== undefined) checkVisible(symbol, first, second, reporter);
  return symbol;
}

/** Reports a qualified name whose declaration is not `pub`. */
export function checkVisible(
  symbol: { readonly decl: { readonly isPub: boolean } },
  module: Name,
  name: Name,
  reporter: Reporter | undefined,
): void {
  if (!symbol.decl.isPub)
    reporter?.report(
      'item-private',
      name,
      `'${name.text}' is private to module '${module.text}': declare it 'pub' there to use it here`,
    );
}
