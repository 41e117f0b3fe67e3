import type {
  FieldInit,
  IfStmt,
  IfValue,
  MatchPattern,
  TypedBlock,
  TypedStmt,
  TypedValue,
  Variable,
} from './typed-form.ts';

/** Gives code that takes the place of other code. */
export interface CodeMapper {
  readonly variable: (variable: Variable) => Variable;
  readonly value: (value: TypedValue) => TypedValue;
  readonly block: (block: TypedBlock) => TypedBlock;
}

/** Maps the direct children of a value. */
export function mapInValue(one: TypedValue, map: CodeMapper): TypedValue {
  const { variable, value, block } = map;
  switch (one.kind) {
    case 'interpolation':
      return { ...one, pieces: one.pieces.map(piece => (typeof piece === 'string' ? piece : value(piece))) };
    case 'variable':
      return { ...one, variable: variable(one.variable) };
    case 'field':
    case 'error-field':
    case 'error-message':
      return { ...one, object: value(one.object) };
    case 'list':
    case 'set':
      return { ...one, elements: one.elements.map(value) };
    case 'map':
      return { ...one, entries: one.entries.map(([key, element]) => [value(key), value(element)] as const) };
    case 'object':
    case 'variant':
      return { ...one, fields: mapFields(one.fields, map) };
    case 'closure': {
      const { params, captured, assigned, body } = one;
      return {
        ...one,
        params: params.map(variable),
        captured: { ...captured, variables: captured.variables.map(variable) },
        assigned: new Set(Array.from(assigned, variable)),
        body: block(body),
      };
    }
    case 'spawn': {
      const { captured, call } = one;
      return {
        ...one,
        captured: { ...captured, variables: captured.variables.map(variable) },
        call: value(call),
      };
    }
    case 'if-value':
      return mapIfValue(one, map);
    case 'match-value': {
      const subject = value(one.subject);
      return { ...one, subject, arms: one.arms.map(arm => ({ ...mapPattern(arm, map), value: value(arm.value) })) };
    }
    case 'catch': {
      const operand = value(one.operand);
      const handlers = one.handlers.map(handler => ({
        ...handler,
        variable: handler.variable && variable(handler.variable),
        body: block(handler.body),
      }));
      return { ...one, operand, handlers };
    }
    case 'none-exit':
    case 'cast':
    case 'unary':
      return { ...one, operand: value(one.operand) };
    case 'binary':
      return { ...one, left: value(one.left), right: value(one.right) };
    case 'range':
      return { ...one, from: value(one.from), to: value(one.to) };
    case 'index':
      return { ...one, object: value(one.object), index: value(one.index) };
    case 'call-closure':
      return { ...one, variable: variable(one.variable), args: one.args.map(value) };
    case 'call':
    case 'call-extern':
    case 'call-builtin':
    case 'expect':
      return { ...one, args: one.args.map(value) };
    case 'call-method':
    case 'call-builtin-method':
      return { ...one, receiver: value(one.receiver), args: one.args.map(value) };
    default:
      return one;
  }
}

const mapFields = (fields: readonly FieldInit[], { value }: CodeMapper): readonly FieldInit[] =>
  fields.map(field => ({ ...field, value: value(field.value) }));

function mapIfValue(one: IfValue, map: CodeMapper): IfValue {
  const { condition, body, otherwise } = one;
  return {
    ...one,
    condition: map.value(condition),
    body: map.block(body),
    otherwise: 'kind' in otherwise ? mapIfValue(otherwise, map) : map.block(otherwise),
  };
}

function mapIf(stmt: IfStmt, map: CodeMapper): IfStmt {
  const { condition, body, otherwise } = stmt;
  return {
    ...stmt,
    condition: map.value(condition),
    body: map.block(body),
    otherwise: otherwise && ('kind' in otherwise ? mapIf(otherwise, map) : map.block(otherwise)),
  };
}

const mapPattern = <Pattern extends MatchPattern>(pattern: Pattern, { variable }: CodeMapper): Pattern => ({
  ...pattern,
  bindings: pattern.bindings.map(binding => ({ ...binding, variable: variable(binding.variable) })),
});

/** Maps the direct children of a statement. */
export function mapInStmt(stmt: TypedStmt, map: CodeMapper): TypedStmt {
  const { variable, value, block } = map;
  switch (stmt.kind) {
    case 'let': {
      const mapped = value(stmt.value);
      return { ...stmt, value: mapped, variable: variable(stmt.variable) };
    }
    case 'yield':
    case 'value':
      return { ...stmt, value: value(stmt.value) };
    case 'channel': {
      const { sender, receiver, capacity } = stmt;
      return {
        ...stmt,
        capacity: capacity && value(capacity),
        sender: variable(sender),
        receiver: variable(receiver),
      };
    }
    case 'return':
      return { ...stmt, value: stmt.value && value(stmt.value) };
    case 'if':
      return mapIf(stmt, map);
    case 'while':
      return { ...stmt, condition: value(stmt.condition), body: block(stmt.body) };
    case 'count': {
      const [from, to] = [value(stmt.from), value(stmt.to)];
      return { ...stmt, from, to, variable: variable(stmt.variable), body: block(stmt.body) };
    }
    case 'each': {
      const iterable = value(stmt.iterable);
      return { ...stmt, iterable, variable: variable(stmt.variable), body: block(stmt.body) };
    }
    case 'match': {
      const subject = value(stmt.subject);
      return { ...stmt, subject, arms: stmt.arms.map(arm => ({ ...mapPattern(arm, map), body: block(arm.body) })) };
    }
    case 'select':
      return {
        ...stmt,
        arms: stmt.arms.map(({ channel, sent, received, body }) => ({
          channel: channel && value(channel),
          sent: sent && value(sent),
          received: received && variable(received),
          body: block(body),
        })),
      };
    case 'scope':
      return { ...stmt, body: block(stmt.body) };
    case 'raise':
      return { ...stmt, fields: mapFields(stmt.fields, map) };
    case 'check':
      return { ...stmt, condition: value(stmt.condition) };
    case 'assign': {
      const target = value(stmt.target);
      const assigned = value(stmt.value);
      const { kind } = target;
      if (kind !== 'variable' && kind !== 'field' && kind !== 'error-field' && kind !== 'index')
        throw new Error(`a ${kind} cannot be assigned`);
      return { ...stmt, target, value: assigned };
    }
    case 'outcome': {
      const { call, result, outputs, declared } = stmt;
      return {
        ...stmt,
        call: { ...call, args: call.args.map(value) },
        result: result && variable(result),
        outputs: outputs.map(variable),
        declared: declared.map(variable),
      };
    }
    default:
      return stmt;
  }
}
