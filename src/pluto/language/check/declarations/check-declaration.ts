import type { ClassDecl, ExternDecl } from '../../syntax/ast/decl.ts';
import type { Body } from '../body/body.ts';
import { ambientName } from '../program/signatures.ts';
import { expectType } from '../body/operators.ts';
import { BOOL } from '../types/make.ts';
import { showType } from '../types/show.ts';
import type { ClassSymbol, DeclSymbol, Type } from '../types/type.ts';
import { checkApp } from './app.ts';
import { checkConformance } from './conformance.ts';
import { checkFields, checkHead, checkMethodNames, checkDuplicates, checkTypeParams } from './parts.ts';
import { checkSerializable } from './serializable.ts';
import { checkStage, parentsOf, unmetRequirements } from './stage.ts';

/** Checks a declaration without its bodies. */
export function checkDeclaration(body: Body, symbol: DeclSymbol): void {
  switch (symbol.kind) {
    case 'FunctionDecl': {
      checkTypeParams(body, symbol.decl.typeParams);
      for (const { name } of symbol.decl.typeParams)
        if (body.context.program.find(body.context.file, name.text, 'ClassDecl') !== undefined)
          body.report(
            'type-parameter-shadows',
            name,
            `type parameter '${name.text}' shadows class '${name.text}': rename the type parameter`,
          );
      return checkHead(body, symbol.decl);
    }
    case 'ExternDecl':
      checkHead(body, symbol.decl);
      return checkExtern(body, symbol.decl);
    case 'ClassDecl':
      return checkClass(body, symbol);
    case 'TraitDecl':
      return checkMethodNames(body, symbol.decl.members);
    case 'EnumDecl':
      checkTypeParams(body, symbol.decl.typeParams);
      checkDuplicates(
        body,
        symbol.decl.variants.map(({ name }) => name),
        'name-duplicate',
        name => `variant '${name}' is already declared in enum '${symbol.name}'`,
      );
      for (const { fields } of symbol.decl.variants) checkFields(body, fields ?? []);
      return;
    case 'ErrorDecl':
      return checkFields(body, symbol.decl.fields);
    case 'AppDecl':
      return checkApp(body, symbol, false);
    case 'StageDecl': {
      const isParent = body.context.program.entries.some(
        entry => entry.kind === 'StageDecl' && body.context.signatures.app(entry).parent === symbol,
      );
      checkStage(body, symbol, isParent);
      const isAbstract = isParent || unmetRequirements([symbol, ...parentsOf(body, symbol)]).length > 0;
      checkApp(body, symbol, isAbstract);
      return checkSerializable(body, symbol.decl);
    }
    default:
  }
}

function checkExtern(body: Body, decl: ExternDecl): void {
  if (body.context.file.isEmbedded) return;
  for (const node of [...decl.params.map(({ type }) => type), ...(decl.result === undefined ? [] : [decl.result])]) {
    const type = body.typeWithoutReport(node);
    if (!isExternType(type.kind === 'list' || type.kind === 'nullable' ? type.element : type))
      body.report('extern-type', node, `extern functions only support primitive types, found ${showType(type)}`);
  }
}

const isExternType = ({ kind }: Type): boolean =>
  kind === 'int' ||
  kind === 'float' ||
  kind === 'bool' ||
  kind === 'string' ||
  kind === 'byte' ||
  kind === 'bytes' ||
  kind === 'void' ||
  kind === 'unknown';

function checkClass(body: Body, symbol: ClassSymbol): void {
  const decl: ClassDecl = symbol.decl;
  checkTypeParams(body, decl.typeParams);
  checkFields(body, [...decl.deps, ...decl.members.filter(member => member.kind === 'Field')]);
  checkMethodNames(
    body,
    decl.members.filter(member => member.kind === 'MethodDecl'),
  );
  checkUses(body, decl);
  for (const dep of decl.deps) {
    const type = body.typeWithoutReport(dep.type);
    if (type.kind === 'trait' && !dep.isRemote)
      body.report(
        'dependency-unknown',
        dep.type,
        `type of dependency '${dep.name.text}' is not a known class: it is a trait`,
      );
  }
  checkConformance(body, symbol);
  for (const member of decl.members) {
    if (member.kind !== 'Invariant') continue;
    const type = body.contract(member.condition);
    expectType(body, member.condition, type, BOOL, 'contract-not-bool', 'invariant must be bool');
  }
}

function checkUses(body: Body, decl: ClassDecl): void {
  const { program, file } = body.context;
  const [first] = decl.uses;
  if (first === undefined) return;
  if (decl.typeParams.length > 0)
    body.report('ambient-generic', first, `generic class '${decl.name.text}' cannot use ambient dependencies`);
  const seen = new Set<string>();
  for (const name of decl.uses) {
    if (name.text === '') continue;
    if (seen.has(name.text)) body.report('ambient-duplicate', name, `duplicate ambient '${name.text}'`);
    seen.add(name.text);
    const field = ambientName(name.text);
    const taken = [...decl.deps, ...decl.members.filter(member => member.kind === 'Field')];
    if (taken.some(other => other.name.text === field))
      body.report('ambient-conflict', name, `ambient '${name.text}' conflicts with existing field '${field}'`);
    if (program.find(file, name.text, 'ClassDecl') === undefined) {
      body.report('ambient-unknown', name, `ambient type '${name.text}' is not a known class`);
      continue;
    }
    const { entries } = program;
    const isDeclared = entries.some(entry =>
      entry.decl.members.some(member => member.kind === 'AmbientItem' && member.name.text === name.text),
    );
    if (entries.length === 0)
      body.report(
        'ambient-undeclared',
        name,
        `class '${decl.name.text}' uses '${name.text}', but no app or stage declaration exists`,
      );
    else if (!isDeclared)
      body.report(
        'ambient-undeclared',
        name,
        `'${name.text}' is not declared ambient in the app: add the line 'ambient ${name.text}' there`,
      );
  }
}
