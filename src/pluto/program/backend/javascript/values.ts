import type { IndexValue, TypedValue, VariableUse } from '../typed/typed-form.ts';
import type { BodyEmitter, EmitRules } from './body.ts';
import { callCode } from './calls.ts';
import { closureCode, spawnCode } from './closures.ts';
import { catchCode, ifCode, matchCode, noneExitCode } from './control.ts';
import { constantOf, intLiteral, plainCode, type ValueCode } from './int-code.ts';
import { byteLiteral, fieldName } from './js-names.ts';
import { binaryCode, castCode, unaryCode } from './operators.ts';
import { emitStmt } from './statements.ts';
import { emptyCode, hasIntKeys, initCodes, interpolation, object, ofInts, pairs } from './literals.ts';

function valueCode(body: BodyEmitter, value: TypedValue): ValueCode {
  switch (value.kind) {
    case 'int':
      return plainCode(intLiteral(value.value));
    case 'float':
      return plainCode(String(value.value));
    case 'bool':
      return plainCode(String(value.value));
    case 'none':
      return plainCode('null');
    case 'string':
      return plainCode(byteLiteral(value.value));
    case 'interpolation':
      return plainCode(interpolation(body, value));
    case 'variable':
      return variable(body, value);
    case 'self':
      return plainCode('self');
    case 'field':
      return plainCode(`${body.code(value.object)}.${fieldName(value.name)}`, value.range);
    case 'error-field':
      return plainCode(`${body.code(value.object)}.fields[${value.index}]`);
    case 'error-message':
      return plainCode(`$rt.messageOf(${body.code(value.object)})`);
    case 'list':
      return plainCode(`$rt.list([${body.codes(value.elements).join(', ')}])`);
    case 'map':
      return plainCode(`$rt.map([${pairs(body.codes(value.entries.flat()))}]${ofInts(value)})`);
    case 'set':
      return plainCode(`$rt.set([${body.codes(value.elements).join(', ')}]${ofInts(value)})`);
    case 'object':
      return plainCode(object(body, value));
    case 'variant': {
      const { of, fields } = value;
      return plainCode(`${body.program.variant(of)}.make(${initCodes(body, of.fields.length, fields).join(', ')})`);
    }
    case 'singleton':
      return plainCode(`${body.program.singleton(value.of)}()`);
    case 'empty':
      return plainCode(emptyCode(value));
    case 'closure':
      return plainCode(closureCode(body, value));
    case 'spawn':
      return plainCode(spawnCode(body, value));
    case 'if-value':
      return plainCode(ifCode(body, value));
    case 'match-value':
      return plainCode(matchCode(body, value));
    case 'none-exit':
      return plainCode(noneExitCode(body, value));
    case 'catch':
      return plainCode(catchCode(body, value));
    case 'cast':
      return castCode(body, value);
    case 'unary':
      return unaryCode(body, value);
    case 'binary':
      return binaryCode(body, value);
    case 'range':
      return plainCode(`$rt.range(${[...body.codes([value.from, value.to]), value.isInclusive].join(', ')})`);
    case 'index':
      return plainCode(indexCode(body, value));
    case 'call':
    case 'call-extern':
    case 'call-builtin':
    case 'call-closure':
    case 'call-method':
    case 'call-builtin-method':
    case 'expect':
      return callCode(body, value);
  }
}

function variable(body: BodyEmitter, { variable: of }: VariableUse): ValueCode {
  const constant = constantOf(of);
  return constant === undefined ? { code: body.name(of), range: of.range } : plainCode(String(constant));
}

function indexCode(body: BodyEmitter, { object: of, index }: IndexValue): string {
  const [code = '', at = ''] = body.codes([of, index]);
  if (of.type.kind === 'string') return `$rt.str.char_at(${code}, ${at})`;
  return `${code}.${hasIntKeys(of) ? '$at' : 'getAt'}(${at})`;
}

export const rules: EmitRules = { value: valueCode, stmt: emitStmt };
