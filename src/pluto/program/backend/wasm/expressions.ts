import type { Type } from '../../../language/check/types/type.ts';
import type {
  BinaryValue,
  BuiltinCall,
  BuiltinMethodCall,
  CastValue,
  FunctionCall,
  IndexValue,
  TypedValue,
} from '../typed/typed-form.ts';
import type { Calls, FunctionCode } from './function-code.ts';
import { isScalar, type Kind, type Scalar } from './kinds.ts';
import { ifValue } from './block-values.ts';
import { callClosure, newClosure } from './closures.ts';
import * as enums from './enums.ts';
import { catchValue, errorField, errorMessage } from './errors.ts';
import { callExtern } from './externs.ts';
import * as lists from './lists.ts';
import * as maps from './maps.ts';
import * as objects from './objects.ts';
import { absolute, binary, extreme, unary } from './operators.ts';
import { power } from './power.ts';
import { empty } from './singletons.ts';
import * as strings from './strings.ts';
import { unsupported } from './unsupported.ts';

/** Emits a value. @returns its kind; `undefined` if there is none */
export function emitValue(body: FunctionCode, value: TypedValue, wanted: Kind | undefined): Kind | undefined {
  const { code } = body;
  switch (value.kind) {
    case 'int':
      code.i64(value.value);
      return 'int';
    case 'float':
      code.f64(value.value);
      return 'float';
    case 'bool':
      code.i32(value.value ? 1 : 0);
      return 'bool';
    case 'string':
      body.text(value.value);
      return 'string';
    case 'interpolation':
      return strings.interpolation(body, value);
    case 'variable': {
      const { index, kind } = body.variable(value.variable);
      code.at('local.get', index);
      return kind;
    }
    case 'self':
      code.at('local.get', body.self.index);
      return body.self.kind;
    case 'none':
      return objects.none(body, wanted);
    case 'none-exit':
      return objects.noneExit(body, value);
    case 'variant':
      return enums.newVariant(body, value);
    case 'match-value': {
      const kind = wanted ?? body.kindOfType(value.type);
      enums.match(body, value.subject, value.arms, kind, arm => body.at(arm.place, () => body.as(arm.value, kind)));
      return kind;
    }
    case 'closure':
      return newClosure(body, value);
    case 'call-closure':
      return callClosure(body, value);
    case 'object':
      return objects.newObject(body, value);
    case 'field':
      return objects.field(body, value);
    case 'call-method':
      return objects.callMethod(body, value);
    case 'unary':
      return unary(body, value);
    case 'binary':
      return binaryChain(body, value);
    case 'cast':
      return cast(body, value);
    case 'range':
      body.as(value.from, 'int');
      body.as(value.to, 'int');
      code.i32(value.isInclusive ? 1 : 0);
      body.call('range');
      return 'range';
    case 'if-value': {
      const kind = wanted ?? body.kindOfType(value.type);
      ifValue(body, value, kind);
      return kind;
    }
    case 'list':
      return lists.literal(body, value.elements, wanted ?? body.kindOfType(value.type));
    case 'map':
      return maps.literal(body, body.kindOfType(value.type), value.entries);
    case 'set':
      return maps.literal(
        body,
        body.kindOfType(value.type),
        value.elements.map(element => [element]),
      );
    case 'catch': {
      const kind = value.operand.type.kind === 'void' ? undefined : (wanted ?? body.kindOfType(value.type));
      catchValue(body, value, kind, calls => called(body, value.operand, calls));
      return kind;
    }
    case 'error-field':
      return errorField(body, value);
    case 'error-message':
      return errorMessage(body, value);
    case 'index':
      return indexed(body, value);
    case 'call':
      return callFunction(body, value, body.calls);
    case 'singleton':
      body.callFunction(value.of);
      return body.kindOfType(value.type);
    case 'empty':
      return empty(body, value);
    case 'call-extern':
      return callExtern(body, value);
    case 'call-builtin':
      return builtin(body, value, body.calls);
    case 'call-builtin-method':
      return builtinMethod(body, value);
    default:
      return unsupported(value.kind);
  }
}

/** Emits a call. @returns the kind of its result; `undefined` if there is none */
function called(body: FunctionCode, value: TypedValue, calls: Calls): Kind | undefined {
  switch (value.kind) {
    case 'call':
      return callFunction(body, value, calls);
    case 'call-closure':
      return callClosure(body, value, calls);
    case 'call-method':
      return objects.callMethod(body, value, calls);
    case 'call-builtin':
      return builtin(body, value, calls);
    default:
      // Methods of strings and lists raise nothing.
      return emitValue(body, value, undefined);
  }
}

function binaryChain(body: FunctionCode, value: BinaryValue): Kind {
  if (strings.isCharComparison(value)) return strings.charComparison(body, value);
  const { op, left: first, right: second } = value;
  if (first.kind === 'none') return binary(body, op, body.value(second), first);
  const links = [value];
  // Long chains are nested on the left, so the left side is walked without recursion.
  for (let { left } = value; left.kind === 'binary' && !strings.isCharComparison(left); left = left.left)
    links.push(left);
  let kind = body.value(links.at(-1)?.left ?? unsupported());
  for (const { op: operator, right } of links.toReversed()) kind = binary(body, operator, kind, right);
  return kind;
}

function indexed(body: FunctionCode, value: IndexValue): Kind {
  switch (value.object.type.kind) {
    case 'string':
      return strings.charAt(body, value);
    case 'map':
      return maps.indexed(body, value);
    default:
      return lists.indexed(body, value);
  }
}

function builtinMethod(body: FunctionCode, value: BuiltinMethodCall): Kind | undefined {
  switch (value.receiver.type.kind) {
    case 'string':
      return strings.method(body, value);
    case 'map':
    case 'set':
      return maps.method(body, value);
    default:
      return lists.method(body, value);
  }
}

function cast(body: FunctionCode, { operand, type }: CastValue): Scalar {
  const { code } = body;
  const from = body.value(operand);
  const to = body.kindOfType(type);
  if (!isScalar(to) || !isScalar(from)) return unsupported();
  switch (`${from} ${to}`) {
    case 'int float':
      code.op('f64.convert_i64_s');
      break;
    case 'int bool':
      code.i64(0n).op('i64.ne');
      break;
    case 'int byte':
      code.op('i32.wrap_i64').i32(0xff).op('i32.and');
      break;
    case 'float int':
      code.truncate();
      break;
    case 'bool int':
    case 'byte int':
      code.op('i64.extend_i32_u');
      break;
    default:
      if (from !== to) return unsupported();
  }
  return to;
}

function callFunction(body: FunctionCode, { callee, args }: FunctionCall, calls: Calls): Kind | undefined {
  const { params, result } = callee.body;
  objects.callArgs(body, params, args);
  calls.call(callee);
  return kindOfResult(body, result);
}

const kindOfResult = (body: FunctionCode, result: Type): Kind | undefined =>
  result.kind === 'void' ? undefined : body.kindOfType(result);

function builtin(body: FunctionCode, { name, args: [first, second] }: BuiltinCall, calls: Calls): Kind | undefined {
  const { code } = body;
  if (name === 'bytes_new') return lists.newBytes(body);
  if (name === 'time_ns' || name === 'gc_heap_size') {
    body.call(name);
    return 'int';
  }
  if (first === undefined) return unsupported();
  if (name === 'print' && first.kind === 'string') {
    code.i32(body.context.text(first.value));
    body.call('print_text');
    return undefined;
  }
  if (name === 'print' && (first.kind === 'interpolation' || first.type.kind === 'string')) {
    body.as(first, 'string');
    body.call('print_string');
    return undefined;
  }
  const kind = body.value(first);
  if (!isScalar(kind)) return unsupported();
  switch (name) {
    case 'print':
      if (kind === 'byte') code.op('i64.extend_i32_u');
      body.call(kind === 'byte' ? 'print_int' : `print_${kind}`);
      return undefined;
    case 'abs':
      return absolute(body, kind);
    case 'min':
    case 'max':
      return extreme(body, name, kind, second ?? unsupported());
    case 'pow':
      body.as(second ?? unsupported(), kind);
      if (kind === 'int') power(body, calls);
      else if (kind === 'float') body.call('pow');
      else unsupported();
      return kind;
    default:
      return kind === 'float' ? floatFunction(body, name) : unsupported();
  }
}

function floatFunction(body: FunctionCode, name: string): Scalar {
  switch (name) {
    case 'sqrt':
    case 'floor':
    case 'ceil':
      body.code.op(`f64.${name}`);
      return 'float';
    case 'round':
    case 'sin':
    case 'cos':
    case 'tan':
    case 'log':
      body.call(name);
      return 'float';
    default:
      return unsupported();
  }
}
