import { PRELUDE_PATH } from '../../../language/std/std-path.ts';
import { showType } from '../../../language/check/types/show.ts';
import type { EnumSymbol, FieldSignature, Type } from '../../../language/check/types/type.ts';
import type { StaticCallExpr } from '../../../language/syntax/ast/code.ts';
import type { BodyLowering } from './body.ts';
import { variantFields } from './declared.ts';
import { byteLiteral } from '../js-names.ts';

/** Evaluates `TypeInfo::type_name<T>()` and `TypeInfo::kind<T>()` at compile time. */
export function reflect(body: BodyLowering, expr: StaticCallExpr): string {
  const { program } = body.program.checked;
  const trait = program.find(body.file, expr.trait.text, 'TraitDecl');
  const [arg] = expr.typeArgs;
  const type = arg === undefined ? undefined : body.type(arg);
  const kind = program.find(body.file, 'TypeKind', 'EnumDecl');
  if (trait?.file.path !== PRELUDE_PATH || kind === undefined || (type?.kind !== 'class' && type?.kind !== 'enum')) {
    body.notSupported(expr, 'a static method of a trait other than TypeInfo of a class or an enum');
    return 'null';
  }
  return expr.method.text === 'type_name' ? byteLiteral(showType(type)) : kindOf(body, kind, type);
}

function kindOf(body: BodyLowering, kind: EnumSymbol, type: Extract<Type, { kind: 'class' | 'enum' }>): string {
  const { signatures } = body.program.checked;
  const variant = type.kind === 'class' ? 'Class' : 'Enum';
  const name = byteLiteral(showType(type));
  const fields = (of: Iterable<FieldSignature>): string =>
    list(
      Array.from(of, field => made(body, 'FieldInfo', byteLiteral(field.name), byteLiteral(showType(field.type)), '0')),
    );
  const info =
    type.kind === 'class'
      ? made(body, 'ClassInfo', name, fields(signatures.class(type.symbol).fields.values()))
      : made(
          body,
          'EnumInfo',
          name,
          list(
            Array.from(signatures.enum(type.symbol).variants.values(), one =>
              made(body, 'VariantInfo', byteLiteral(one.name), fields(one.fields.values())),
            ),
          ),
        );
  // Both variants have a single field.
  return variantFields(kind, variant).length === 1 ? `${body.program.variant(kind, variant)}.make(${info})` : 'null';
}

const list = (elements: readonly string[]): string => `$rt.list([${elements.join(', ')}])`;

function made(body: BodyLowering, name: string, ...fields: readonly string[]): string {
  const symbol = body.program.checked.program.find(body.file, name, 'ClassDecl');
  return symbol === undefined ? 'null' : `new ${body.program.class(symbol)}(${fields.join(', ')})`;
}
