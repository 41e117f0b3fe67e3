import { classSubstitution } from '../../../../language/check/body/members.ts';
import { BYTES, classOf, enumOf, INT, listOf, STRING } from '../../../../language/check/types/make.ts';
import { showType } from '../../../../language/check/types/show.ts';
import { substitute, substitution, type Substitution } from '../../../../language/check/types/substitute.ts';
import type { ClassSymbol, EnumSymbol, FieldSignature, Type } from '../../../../language/check/types/type.ts';
import { PRELUDE_PATH } from '../../../../language/std/std-path.ts';
import type { StaticCallExpr } from '../../../../language/syntax/ast/code.ts';
import type { TypedValue } from '../typed-form.ts';
import type { BodyBuilder } from './body-builder.ts';

/** Evaluates `TypeInfo::type_name<T>()` and `TypeInfo::kind<T>()`. */
export function reflect(body: BodyBuilder, expr: StaticCallExpr): TypedValue {
  const { program } = body.program.checked;
  const trait = program.find(body.file, expr.trait.text, 'TraitDecl');
  const [arg] = expr.typeArgs;
  const type = arg === undefined ? undefined : body.type(arg);
  const kind = program.find(body.file, 'TypeKind', 'EnumDecl');
  if (trait?.file.path !== PRELUDE_PATH || kind === undefined || (type?.kind !== 'class' && type?.kind !== 'enum')) {
    body.notSupported(expr, 'a static method of a trait other than TypeInfo of a class or an enum');
    return { kind: 'none', type: body.typeOf(expr) };
  }
  return expr.method.text === 'type_name' ? text(showType(type)) : kindOf(body, kind, type);
}

function kindOf(body: BodyBuilder, kind: EnumSymbol, type: Extract<Type, { kind: 'class' | 'enum' }>): TypedValue {
  const { signatures } = body;
  const fields = (of: Iterable<FieldSignature>, by: Substitution | undefined): TypedValue =>
    list(
      body,
      'FieldInfo',
      Array.from(of, field =>
        object(body, 'FieldInfo', text(field.name), text(showType(substitute(field.type, by))), {
          kind: 'int',
          type: INT,
          value: 0n,
        }),
      ),
    );
  const name = text(showType(type));
  if (type.kind === 'class') {
    const of = fields(signatures.class(type.symbol).fields.values(), classSubstitution(signatures, type));
    return variant(body, kind, 'Class', object(body, 'ClassInfo', name, of));
  }
  const { typeParams, variants } = signatures.enum(type.symbol);
  const by = substitution(
    typeParams.map(param => param.type),
    type.args,
  );
  const of = list(
    body,
    'VariantInfo',
    Array.from(variants.values(), one => object(body, 'VariantInfo', text(one.name), fields(one.fields.values(), by))),
  );
  return variant(body, kind, 'Enum', object(body, 'EnumInfo', name, of));
}

const text = (value: string): TypedValue => ({ kind: 'string', type: STRING, value });

const classNamed = (body: BodyBuilder, name: string): ClassSymbol | undefined =>
  body.program.checked.program.find(body.file, name, 'ClassDecl');

function list(body: BodyBuilder, of: string, elements: readonly TypedValue[]): TypedValue {
  const symbol = classNamed(body, of);
  return { kind: 'list', type: listOf(symbol === undefined ? BYTES : classOf(symbol, [])), elements };
}

function object(body: BodyBuilder, name: string, ...fields: readonly TypedValue[]): TypedValue {
  const symbol = classNamed(body, name);
  if (symbol === undefined) throw new Error(`the prelude has no class ${name}`);
  const type = classOf(symbol, []);
  const inits = fields.map((value, index) => ({ index, value }));
  return { kind: 'object', type, of: body.program.classOfObjects(type), fields: inits, isChecked: false };
}

/** A variant with a single field. */
function variant(body: BodyBuilder, symbol: EnumSymbol, name: string, value: TypedValue): TypedValue {
  const type = enumOf(symbol, []);
  return { kind: 'variant', type, of: body.program.variant(symbol, name, type), fields: [{ index: 0, value }] };
}
