import type { StageDecl } from '../../syntax/ast/decl.ts';
import type { Span } from '../../syntax/ast/span.ts';
import type { Type as TypeNode } from '../../syntax/ast/type.ts';
import type { Body } from '../body/body.ts';
import { classSubstitution } from '../body/members.ts';
import type { Signatures } from '../program/signatures.ts';
import { isTooDeep, typeParts } from '../types/parts.ts';
import { showType } from '../types/show.ts';
import { substitute, substitution } from '../types/substitute.ts';
import type { Type } from '../types/type.ts';

/** Checks the public methods of a stage. Other processes call them, so parameters and results must be serializable. */
export function checkSerializable(body: Body, decl: StageDecl): void {
  let needsWire = false;
  for (const member of decl.members) {
    if ((member.kind !== 'MethodDecl' && member.kind !== 'RequiredMethod') || !member.isPub) continue;
    const { name } = member;
    const check = (node: TypeNode, site: Span, what: string): void => {
      const type = body.typeWithoutReport(node);
      needsWire ||= isComplex(type);
      const reason = unserializableReason(body, type);
      if (reason !== undefined)
        body.report('not-serializable', site, `${what} has non-serializable type ${showType(type)}: ${reason}`);
    };
    for (const param of member.params)
      check(param.type, param, `parameter '${param.name.text}' of public method '${name.text}'`);
    if (member.result !== undefined) check(member.result, member.result, `result of public method '${name.text}'`);
  }
  const { program, file } = body.context;
  program.tracker.see(file.importsVersion);
  const hasWire = file.imports.some(({ decl: { path } }) => path.map(({ text }) => text).join('.') === 'std.wire');
  if (needsWire && !hasWire)
    body.report(
      'wire-import-missing',
      decl.name,
      `stage '${decl.name.text}' requires \`import std.wire\` for its types`,
    );
}

const isComplex = ({ kind }: Type): boolean =>
  kind === 'list' || kind === 'map' || kind === 'set' || kind === 'class' || kind === 'enum' || kind === 'nullable';

/** The reason why values of a type cannot be serialized; undefined if they can. */
function unserializableReason({ context: { signatures } }: Body, type: Type): string | undefined {
  // The set grows while it is visited. A recursive walk could overflow the stack, and would visit shared types again and again.
  const reachable = new Set([type]);
  for (const one of reachable) {
    if (cannotBeSerialized(one)) return `${showType(one)} is not serializable`;
    // Such a type comes from a declaration that contains itself with ever larger types, and no value has it.
    if (isTooDeep(one)) continue;
    for (const part of serializedParts(signatures, one)) reachable.add(part);
  }
  return undefined;
}

const cannotBeSerialized = ({ kind }: Type): boolean =>
  kind === 'fn' ||
  kind === 'task' ||
  kind === 'sender' ||
  kind === 'receiver' ||
  kind === 'trait' ||
  kind === 'stream' ||
  kind === 'range' ||
  kind === 'error' ||
  kind === 'any-error';

/** The types of the values that are serialized with a value of a type. */
function serializedParts(signatures: Signatures, type: Type): readonly Type[] {
  switch (type.kind) {
    case 'list':
    case 'set':
    case 'nullable':
    case 'map':
      return typeParts(type);
    case 'class': {
      const known = classSubstitution(signatures, type);
      const fields = Array.from(signatures.class(type.symbol).fields.values()).filter(field => !field.isInjected);
      return fields.map(field => substitute(field.type, known));
    }
    case 'enum': {
      const { typeParams, variants } = signatures.enum(type.symbol);
      const known = substitution(
        typeParams.map(param => param.type),
        type.args,
      );
      const fields = Array.from(variants.values()).flatMap(variant => Array.from(variant.fields.values()));
      return fields.map(field => substitute(field.type, known));
    }
    default:
      return [];
  }
}
