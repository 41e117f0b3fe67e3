import { classSubstitution } from '../../../language/check/body/members.ts';
import { substitute } from '../../../language/check/types/substitute.ts';
import type { ClassType, Type } from '../../../language/check/types/type.ts';
import type { ProgramLowering } from './program-lowering.ts';

/** An expression for an injected instance: the singleton, or a new instance of a shorter-lived class. */
export function instanceOf(program: ProgramLowering, type: ClassType): string {
  const inner = (one: ClassType): string => instanceOf(program, one);
  if (program.lifecycleOf(type.symbol) !== 'singleton') return newInstanceOf(program, type, inner);
  const known = program.singletons.get(type);
  if (known !== undefined) return `${known}()`;
  const name = program.name(`singleton_${type.symbol.name}`);
  program.singletons.set(type, name);
  const made = newInstanceOf(program, type, inner);
  program.define(`let ${name}_ = null;\nconst ${name} = () => (${name}_ ??= $rt.shared(${made}));`);
  return `${name}()`;
}

/** An expression for a new instance; `give` supplies injected fields, other fields get their default values. */
export function newInstanceOf(program: ProgramLowering, type: ClassType, give: (type: ClassType) => string): string {
  const { signatures } = program.checked;
  const by = classSubstitution(signatures, type);
  const args = Array.from(signatures.class(type.symbol).fields.values(), field => {
    const of = substitute(field.type, by);
    if (field.type.kind === 'int') return '0';
    return field.isInjected && of.kind === 'class' ? give(of) : defaultValueOf(of);
  });
  return `new ${program.class(type.symbol)}(${args.join(', ')})`;
}

/** Default value of a field that is never set. */
function defaultValueOf({ kind }: Type): string {
  switch (kind) {
    case 'int':
      return '0n';
    case 'float':
      return '0';
    case 'bool':
      return 'false';
    case 'byte':
      return '$rt.cast(0n, "byte")';
    case 'string':
      return '""';
    case 'bytes':
      return '$rt.builtins.bytes_new()';
    case 'list':
      return '$rt.list([])';
    case 'map':
      return '$rt.map([])';
    case 'set':
      return '$rt.set([])';
    default:
      return 'null';
  }
}
