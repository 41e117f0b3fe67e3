import type { PausableWork } from '../../../../base/time-slice.ts';
import type { Type } from '../../../language/check/types/type.ts';
import type { CallGraph } from './call-graph.ts';
import { visitBody } from './children.ts';
import type { TypedBody, TypedFunction, TypedMethod, TypedProgram, TypedStmt, TypedValue } from './typed-form.ts';

export type Code = (TypedFunction | TypedMethod) & Unfinished;

interface Unfinished {
  body: TypedBody;
}

/** A function or method, or the methods that a call through a trait may run: calls of one method of a trait have the same list. */
export type Callee = Code | readonly TypedMethod[];

/** The code that only JavaScript can express. */
export interface JavaScriptCode {
  /** It blocks, has tasks, channels or streams, or is in an app. */
  readonly own: readonly Code[];
  /** That, and all code that calls it. */
  readonly all: ReadonlySet<Callee>;
}

export function* findJavaScript({ functions, classes }: TypedProgram, graph: CallGraph): PausableWork<JavaScriptCode> {
  const methods = classes.flatMap(one => Array.from(one.methods.values()));
  const own: Code[] = [];
  const callers = new Map<Callee, Callee[]>();
  for (const of of [...functions, ...methods]) {
    if (graph.isBlocking(of) || ('owner' in of && of.owner.type === undefined) || isJavaScript(of.body)) own.push(of);
    addCalls(callers, of);
    yield;
  }
  const all = new Set<Callee>(own);
  // The set grows while it is visited.
  for (const of of all) for (const caller of callers.get(of) ?? []) all.add(caller);
  return { own, all };
}

function addCalls(callers: Map<Callee, Callee[]>, of: Code): void {
  const add = (callee: Callee, caller: Callee): void => {
    const others = callers.get(callee) ?? [];
    callers.set(callee, others);
    others.push(caller);
  };
  visitBody(of.body, {
    value(value) {
      if (value.kind === 'call') add(value.callee, of);
      if (value.kind !== 'call-method') return;
      const { targets } = value;
      if (!callers.has(targets)) for (const target of targets) add(target, targets);
      add(targets, of);
    },
  });
}

/** Values and statements of tasks, channels, streams and tests. */
export const JAVASCRIPT_VALUES = new Set<TypedValue['kind']>(['spawn', 'expect']);
export const JAVASCRIPT_STMTS = new Set<TypedStmt['kind']>(['channel', 'select', 'yield']);

/** Whether values of a type have tasks, channels or streams in them. The fields of classes and enums are not looked at. */
export function isJavaScriptType(type: Type): boolean {
  switch (type.kind) {
    case 'task':
    case 'sender':
    case 'receiver':
    case 'stream':
      return true;
    case 'list':
    case 'set':
    case 'nullable':
      return isJavaScriptType(type.element);
    case 'map':
      return isJavaScriptType(type.key) || isJavaScriptType(type.value);
    case 'fn':
      return [...type.params, type.result].some(isJavaScriptType);
    default:
      return false;
  }
}

function isJavaScript(body: TypedBody): boolean {
  let isFound = [body.result, ...body.params.map(({ type }) => type)].some(isJavaScriptType);
  visitBody(body, {
    value: ({ kind, type }) => {
      isFound ||= JAVASCRIPT_VALUES.has(kind) || isJavaScriptType(type);
    },
    stmt: ({ kind }) => {
      isFound ||= JAVASCRIPT_STMTS.has(kind);
    },
  });
  return isFound;
}
