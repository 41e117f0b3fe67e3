import type {
  TypedBody,
  TypedClass,
  TypedError,
  TypedExtern,
  TypedFunction,
  TypedMethod,
  TypedSingleton,
  TypedVariant,
} from '../typed/typed-form.ts';
import { BodyEmitter } from './body.ts';
import { type BlockKey, dispatchKey, INVARIANTS, STREAMS } from '../typed/call-graph.ts';
import { byteLiteral, fieldName, localName, methodName } from './js-names.ts';
import type { ProgramEmitter } from './program-emitter.ts';
import { rules } from './values.ts';

const star = (program: ProgramEmitter, key: BlockKey): string => (program.graph.isBlocking(key) ? '*' : '');

const paramsOf = ({ params }: TypedBody): readonly string[] => params.map(({ name }) => localName(name));

/** The lines of a function. */
function linesOf(
  program: ProgramEmitter,
  key: BlockKey,
  { params, result, checks, block, outputs }: TypedBody,
): string {
  const body = new BodyEmitter(program, rules, key);
  const lines = body.inFrame(key, () => {
    body.frame.outputs = outputs;
    for (const check of checks)
      if (check.kind === 'check') body.stmt(check);
      else {
        const args = ['self', ...params.map(({ name }) => localName(name))];
        body.emit(`${body.called(check.contract, `${program.function(check.contract)}(${args.join(', ')})`)};`);
      }
    if (result.kind !== 'stream') return body.block(block);
    const inner = body.inFrame(STREAMS, () => body.block(block));
    body.emit('return $rt.stream((function* () {', inner, '})());');
  });
  return lines.join('\n');
}

const placed = ({ path, line }: { readonly path: string; readonly line: number }, text: string): string =>
  `// ${byteLiteral(path)}, line ${line}\n${text}`;

/** @param name in the emitted text */
export function functionText(program: ProgramEmitter, of: TypedFunction, name: string): string {
  const params = [...(of.self === undefined ? [] : ['self']), ...paramsOf(of.body)];
  // A call of a stream never blocks.
  const head = of.body.result.kind === 'stream' ? '' : star(program, of);
  return placed(of, `function${head} ${name}(${params.join(', ')}) {\n${linesOf(program, of, of.body)}\n}`);
}

/** Defines a function under a name, which another emitter may take over. @param text its JavaScript, under the name that it gets */
export type Define = (
  of: TypedFunction | TypedMethod | TypedClass | TypedSingleton,
  name: string,
  text: (name: string) => string,
) => string;

/** A class with its methods: functions for those that code calls directly, members for those that calls dispatch to. */
export function classText(program: ProgramEmitter, of: TypedClass, define: Define): string {
  const { graph } = program;
  const members = [constructorText(of.fields.map(({ name }) => name))];
  if (of.invariants.length > 0) members.push(invariantsText(program, of));
  const functions: string[] = [];
  if (of.invariants.length > 0)
    functions.push(define(of, program.invariants(of), name => `const ${name} = self => self.$$check();`));
  for (const method of of.methods.values()) {
    if (graph.isDirect(method))
      functions.push(define(method, program.method(method), name => methodFunction(program, method, name)));
    if (graph.isDispatched(method)) members.push(methodMember(program, method));
  }
  const text = `class ${program.class(of)} extends $rt.Instance {\n${members.join('\n')}\n}`;
  return placed(of, [text, ...functions].join('\n'));
}

function methodFunction(program: ProgramEmitter, method: TypedMethod, name: string): string {
  const params = ['self', ...paramsOf(method.body)].join(', ');
  const lines = linesOf(program, method, method.body);
  return `function${star(program, method)} ${name}(${params}) {\n${lines}\n}`;
}

function methodMember(program: ProgramEmitter, method: TypedMethod): string {
  const params = paramsOf(method.body);
  const head = `${star(program, dispatchKey(method.name))}${methodName(method.name)}(${params.join(', ')})`;
  if (!program.graph.isDirect(method))
    return `${head} {\nconst self = this;\n${linesOf(program, dispatchKey(method.name), method.body)}\n}`;
  const call = `${program.method(method)}(${['this', ...params].join(', ')})`;
  return `${head} {\nreturn ${program.graph.isBlocking(method) ? `yield* ${call}` : call};\n}`;
}

function constructorText(fields: readonly string[]): string {
  const sets = fields.map(field => `this.${fieldName(field)} = ${fieldName(field)};`);
  return `constructor(${fields.map(fieldName).join(', ')}) {\nsuper();\n${sets.join('\n')}\n}`;
}

/** The `$$check` method of a class. */
function invariantsText(program: ProgramEmitter, { invariants }: TypedClass): string {
  const body = new BodyEmitter(program, rules, INVARIANTS);
  const lines = body.captured(() => body.block(invariants));
  return `${star(program, INVARIANTS)}$$check() {\nconst self = this;\n${lines.join('\n')}\nreturn this;\n}`;
}

/** @param name in the emitted text */
export function singletonText(program: ProgramEmitter, of: TypedSingleton, name: string): string {
  const made = new BodyEmitter(program, rules, name).code(of.value);
  return `let ${name}_ = null;\nconst ${name} = () => (${name}_ ??= $rt.shared(${made}));`;
}

export function variantText(program: ProgramEmitter, of: TypedVariant): string {
  const fields = of.fields.map(byteLiteral).join(', ');
  const names = `${byteLiteral(of.enumName)}, ${byteLiteral(of.name)}`;
  return `const ${program.variant(of)} = $rt.variant(${names}, ${of.tag}, [${fields}]);`;
}

export function errorText(program: ProgramEmitter, of: TypedError): string {
  const fields = of.fields.map(({ name }) => byteLiteral(name)).join(', ');
  const ints = of.fields.flatMap(({ type }, index) => {
    const kind = type.kind === 'nullable' ? type.element.kind : type.kind;
    return kind === 'int' ? [index] : [];
  });
  return placed(
    of,
    `const ${program.error(of)} = $rt.errorType(${byteLiteral(of.name)}, [${fields}], [${ints.join(', ')}]);`,
  );
}

export const externText = (program: ProgramEmitter, of: TypedExtern): string =>
  `const ${program.extern(of)} = $rt.extern(${byteLiteral(of.name)}, ${byteLiteral(of.resultText)});`;
