import { unbox } from './boxes.ts';
import type { HashFunction, Signature } from './callee.ts';
import { I32 } from './encoder.ts';
import { isSame, isSameBoxed } from './equality.ts';
import { FunctionCode, type FunctionContext } from './function-code.ts';
import {
  isBoxed,
  isObject,
  type Key,
  type Kind,
  type ObjectKind,
  objectType,
  presentOf,
  scalarOf,
  TAG,
} from './kinds.ts';
import { unsupported } from './unsupported.ts';

// Hashes as in the runtime's `equality.ts`: programs can observe the order of keys.
const SPREAD = 0x7f4a7c15;
const FIRST_TEXT_HASH = 0x84222325 | 0;
const TEXT_FACTOR = 0x1b3;
const FIELD_FACTOR = 31;
const HASHED_LEVELS = 8;
const MAX_SAFE = 2 ** 53 - 1;

const hashFunction = (kind: ObjectKind): HashFunction => `hash ${kind}`;
const enumOfHash = (of: HashFunction): ObjectKind => of.slice('hash '.length) as ObjectKind;

/** The parameters are a value of an enum and its level; levels and hashes have the type of a bool. */
export const hashSignature = (of: HashFunction): Signature => ({
  self: undefined,
  params: [`${enumOfHash(of)}?`, 'bool'],
  result: 'bool',
});

/** Leaves the hash of a key. */
export function hashOfKey(body: FunctionCode, kind: Key, key: number): void {
  body.code.at('local.get', key);
  if (kind === 'float') spreadBits(body);
  else if (isObject(kind)) {
    body.code.i32(0);
    call(body, kind);
  } else hash(body, kind);
}

/** Emits the function that computes the hash of a value of an enum, by its content. */
export function enumHash(context: FunctionContext, of: HashFunction): FunctionCode {
  const kind = enumOfHash(of);
  const { variants } = context.enumOf(kind) ?? unsupported();
  const body = new FunctionCode(context, () => unsupported(), 'bool');
  const { code } = body;
  // Its calls have no places.
  code.mark('');
  const [value, level, sum] = [body.argument(), body.argument(), body.local(I32)];
  const tag = (): void => void code.at('local.get', value).gc('struct.get', objectType(kind), TAG);
  code.at('local.get', value).op('ref.is_null').open('if').i32(0).op('return', 'end');
  tag();
  spread(body);
  code.at('local.set', sum);
  // Deeper levels do not affect the hash.
  code.at('local.get', level).i32(HASHED_LEVELS).op('i32.eq').open('if').at('local.get', sum).op('return', 'end');
  for (const [index, { type, fields, constant }] of variants.entries()) {
    if (constant !== undefined) continue;
    tag();
    code.i32(index).op('i32.eq').open('if');
    for (const [at, field] of fields.entries()) {
      code.at('local.get', sum).i32(FIELD_FACTOR).op('i32.mul').at('local.get', value).cast(type);
      code.gc('struct.get', type, at + 1);
      const present = presentOf(field);
      if (isObject(present) && context.enumOf(present) !== undefined) {
        code.at('local.get', level).i32(1).op('i32.add');
        call(body, present);
      } else hash(body, field);
      code.op('i32.add').at('local.set', sum);
    }
    code.op('end');
  }
  code.at('local.get', sum);
  return body;
}

const call = (body: FunctionCode, kind: ObjectKind): void =>
  void body.code.at('call', body.context.functionIndex(hashFunction(kind)));

/** Multiplies the bits on the stack. */
const spread = ({ code }: FunctionCode): void => void code.i32(SPREAD).op('i32.mul');

/** Leaves the hash of the bits of the float on the stack. */
function spreadBits(body: FunctionCode): void {
  body.code.op('i64.reinterpret_f64', 'i32.wrap_i64');
  spread(body);
}

/** Leaves the hash of the value on the stack, which is not of an enum. */
function hash(body: FunctionCode, kind: Kind): void {
  const { code } = body;
  if (isBoxed(kind)) {
    const boxed = body.local(kind);
    code.at('local.tee', boxed).op('ref.is_null').open('if', I32).i32(0).op('else').at('local.get', boxed);
    unbox(code, kind);
    hash(body, scalarOf(kind));
    code.op('end');
    return;
  }
  switch (kind) {
    case 'int':
      code.op('i32.wrap_i64');
      return spread(body);
    case 'bool':
    case 'byte':
      return spread(body);
    case 'float': {
      // A float without a fraction has the hash of the int: JavaScript does not know which of them a field has.
      const float = body.local('float');
      code.at('local.tee', float).at('local.get', float).op('f64.floor', 'f64.eq').at('local.get', float);
      code.op('f64.abs').f64(MAX_SAFE).op('f64.le', 'i32.and').open('if', I32).at('local.get', float).truncate();
      code.op('i32.wrap_i64');
      spread(body);
      code.op('else').at('local.get', float);
      spreadBits(body);
      code.op('end');
      return;
    }
    case 'string':
    case 'string?':
      return textHash(body, kind);
    default:
      // Other values have no content that never changes.
      code.op('drop').i32(0);
  }
}

/** Leaves the hash of the string on the stack: computed here if the engine has functions for strings, or else in JavaScript, which reads bytes faster then. */
function textHash(body: FunctionCode, kind: 'string' | 'string?'): void {
  const [text, sum, length, at] = [body.local(kind), body.local(I32), body.local(I32), body.local(I32)];
  const { code } = body;
  code.at('local.set', text);
  if (kind === 'string?') code.at('local.get', text).op('ref.is_null').open('if', I32).i32(0).op('else');
  code.at('local.get', text);
  body.call('test');
  code.open('if').i32(FIRST_TEXT_HASH).at('local.set', sum).at('local.get', text);
  body.call('length');
  code.at('local.set', length).i32(0).at('local.set', at).open('block').open('loop');
  code.at('local.get', at).at('local.get', length).op('i32.ge_u').at('br_if', 1);
  code.at('local.get', sum).at('local.get', text).at('local.get', at);
  body.call('charCodeAt');
  code.op('i32.xor').i32(TEXT_FACTOR).op('i32.mul').at('local.set', sum);
  code.at('local.get', at).i32(1).op('i32.add').at('local.set', at).at('br', 0).op('end', 'end', 'else');
  code.at('local.get', text);
  body.call('hash_text');
  code.at('local.set', sum).op('end').at('local.get', sum);
  if (kind === 'string?') code.op('end');
}

/** Leaves whether two keys, or elements of lists, are the same: floats by their bits, enums by their content. */
export function isSameKey(body: FunctionCode, kind: Kind, [left, right]: readonly [number, number]): void {
  const { code } = body;
  const both = (): void => void code.at('local.get', left).at('local.get', right);
  if (kind === 'float?') {
    both();
    const sides = [body.local('float'), body.local('float')] as const;
    return isSameBoxed(body, kind, () => {
      code.at('local.set', sides[1]).at('local.set', sides[0]);
      isSameKey(body, 'float', sides);
    });
  }
  if (kind !== 'float') {
    both();
    return isSame(body, kind);
  }
  for (const key of [left, right]) code.at('local.get', key).op('i64.reinterpret_f64');
  code.op('i64.eq');
  // All values that are not numbers are one key.
  for (const key of [left, right]) code.at('local.get', key).at('local.get', key).op('f64.ne');
  code.op('i32.and', 'i32.or');
}
