import type { PausableWork } from '../../../../base/time-slice.ts';
import type { TraitSymbol, Type } from '../../../language/check/types/type.ts';
import { visitCode } from '../typed/children.ts';
import type { TypedProgram } from '../typed/typed-form.ts';
import { CallGroups } from './call-groups.ts';
import {
  type Callee,
  classOfSelf,
  type ClosableType,
  codeOfCallee,
  type Dispatch,
  type FunctionValues,
  isCommon,
  type Guard,
  isDispatch,
  isGuard,
  isHashFunction,
  isListFunction,
  isNameFunction,
  isSingleton,
  POWER,
  type Signature,
} from './callee.ts';
import type { ClosedKinds } from './closed-kinds.ts';
import type { FunctionContext } from './function-code.ts';
import { type ContainerType, isContainer } from '../typed/container-types.ts';
import { ANY_OBJECT, isObject, type ObjectKind } from './kinds.ts';
import { nameSignature } from './enums.ts';
import { guardSignature } from './errors.ts';
import { comparisonSignature } from './equality.ts';
import { hashSignature } from './hashes.ts';
import { listSignature } from './list-operations.ts';
import { tableSignature } from './map-functions.ts';
import { powerSignature } from './power.ts';
import { emitFunction } from './statements.ts';
import { Unsupported } from './unsupported.ts';

export type UsedType = ClosableType | TraitSymbol | ContainerType;
export const isContainerType = (used: UsedType): used is ContainerType => 'depth' in used;

/** The types of a body. */
interface Typed {
  readonly params: readonly { readonly type: Type }[];
  readonly result: Type;
  readonly outputs?: readonly { readonly type: Type }[];
}

interface Analysis {
  readonly signature: Signature;
  /** The code that it calls. */
  readonly callees: ReadonlySet<Callee>;
  /** The closed types whose values it uses, and traits. */
  readonly closed: ReadonlySet<UsedType>;
  readonly hasLoop: boolean;
}

/** The code that can become WebAssembly if the values of some types are only there. */
export class Analyses {
  readonly kinds: ClosedKinds;
  /** `undefined` for code that only JavaScript can express. */
  readonly #analyses = new Map<Callee, Analysis | undefined>();
  readonly #reasons = new Map<Callee, string>();
  #raises = false;
  readonly #guards = new Map<Callee, Guard>();
  readonly #groups = new CallGroups(of => this.analyze(of)?.callees);

  constructor(kinds: ClosedKinds) {
    this.kinds = kinds;
  }

  /** Looks at all code of a program, in steps. */
  static *of({ functions, classes }: TypedProgram, kinds: ClosedKinds): PausableWork<Analyses> {
    const analyses = new Analyses(kinds);
    const all = [...functions, ...classes.flatMap(({ methods }) => Array.from(methods.values()))];
    for (const one of all) {
      analyses.analyze(one);
      yield;
    }
    yield* analyses.#groups.findAll(all);
    return analyses;
  }

  /** Whether code that can become WebAssembly may raise errors. */
  get raises(): boolean {
    return this.#raises;
  }

  /** Whether calls of the code from JavaScript take less time than they save. */
  isWorthCalling(of: Callee): boolean {
    const { isSupported, isRecursive } = this.#groups.of(of);
    return isSupported && (isRecursive || (this.analyze(of)?.hasLoop ?? false));
  }

  /** Whether the code becomes WebAssembly: it saves time, or uses objects that are only there. */
  isWasm(of: Callee): boolean {
    return this.isWorthCalling(of) || (this.isSupported(of) && (this.analyze(of)?.closed.size ?? 0) > 0);
  }

  /** Whether the code and all that it calls can become WebAssembly. */
  isSupported(of: Callee): boolean {
    return this.#groups.of(of).isSupported;
  }

  /** The function that catches the errors of other code. */
  readonly guardOf = (guarded: Callee): Guard => {
    const guard = this.#guards.get(guarded) ?? { guarded };
    this.#guards.set(guarded, guard);
    return guard;
  };

  /** The part of code that only JavaScript can express; `undefined` if there is none, also if the code calls code with such a part. */
  reasonFor(of: Callee): string | undefined {
    this.analyze(of);
    return this.#reasons.get(of);
  }

  analyze(of: Callee): Analysis | undefined {
    if (this.#analyses.has(of)) return this.#analyses.get(of);
    const analysis = this.#newAnalysis(of);
    this.#analyses.set(of, analysis);
    return analysis;
  }

  #newAnalysis(of: Callee): Analysis | undefined {
    const signature = this.#signature(of);
    if (signature === undefined) {
      const other = typesOf(of).find(type => type.kind !== 'void' && this.kinds.kindOf(type) === undefined);
      this.#reasons.set(of, `type ${other?.kind ?? 'app'}`);
      return undefined;
    }
    const callees = new Set<Callee>();
    const closed = new Set<UsedType>();
    const use = (type: Type): void => {
      for (const used of usedTypes(this.kinds, type)) closed.add(used);
    };
    for (const type of typesOf(of)) use(type);
    const context: FunctionContext = {
      functionIndex(callee) {
        callees.add(callee);
        return 0;
      },
      externIndex: () => 0,
      singletonGlobal: () => 0,
      typeOf: () => 0,
      guardOf: this.guardOf,
      text: () => 0,
      error: () => {
        this.#raises = true;
        return 0;
      },
      sharesLists() {},
      raisesErrors: () => {
        this.#raises = true;
      },
      readsBytes() {},
      kindOf: type => {
        const kind = this.kinds.kindOf(type);
        if (kind !== undefined) use(type);
        return kind;
      },
      field: (kind, name) => {
        const field = this.kinds.field(kind, name);
        if (field !== undefined) use(field.type);
        return field;
      },
      enumOf: this.kinds.enumOf,
      functionsOf: this.kinds.functionsOf,
    };
    try {
      emitFunction(context, of, signature);
    } catch (error) {
      if (!(error instanceof Unsupported)) throw error;
      this.#reasons.set(of, error.message);
      return undefined;
    }
    return { signature, callees, closed, hasLoop: hasLoop(of) };
  }

  #signature(of: Callee): Signature | undefined {
    if (isDispatch(of)) return this.#signatureOfDispatch(of);
    if (isGuard(of)) return guardSignature(this.#signature(of.guarded));
    if (isHashFunction(of)) return hashSignature(of);
    if (isNameFunction(of)) return nameSignature(of);
    if (isListFunction(of)) return listSignature(of);
    if (of === POWER) return powerSignature;
    if (isCommon(of)) return tableSignature(of);
    if ('variants' in of) return comparisonSignature(this.kinds, of);
    if (isSingleton(of)) return this.#signatureOfBody({ params: [], result: of.value.type }, undefined);
    if ('closures' in of) return this.#signatureOfCalls(of);
    const owner = classOfSelf(of);
    const self = owner?.type && this.#kindOfObject(owner.type);
    if (owner !== undefined && self === undefined) return undefined;
    if ('invariants' in of) return { self, params: [], result: undefined };
    if ('body' in of) return this.#signatureOfBody(of.body, self);
    const { captured, result } = of.closure;
    if (captured.hasSelf && self === undefined) return undefined;
    return this.#signatureOfBody({ params: codeOfCallee(of).params, result }, self);
  }

  #kindOfObject(type: Type): ObjectKind | undefined {
    const kind = this.kinds.kindOf(type);
    return kind !== undefined && isObject(kind) ? kind : undefined;
  }

  #signatureOfBody(
    { params: variables, result: type, outputs = [] }: Typed,
    self: ObjectKind | undefined,
  ): Signature | undefined {
    const params = variables.map(variable => this.kinds.kindOf(variable.type)).filter(kind => kind !== undefined);
    const result = type.kind === 'void' ? undefined : this.kinds.kindOf(type);
    if (params.length < variables.length || (type.kind !== 'void' && result === undefined)) return undefined;
    const kinds = outputs.map(output => this.kinds.kindOf(output.type)).filter(kind => kind !== undefined);
    if (kinds.length < outputs.length) return undefined;
    return kinds.length === 0 ? { self, params, result } : { self, params, result, outputs: kinds };
  }

  /** The first parameter is the function value. */
  #signatureOfCalls({ type }: FunctionValues): Signature | undefined {
    const params = [type, ...type.params].map(one => ({ type: one }));
    return this.#signatureOfBody({ params, result: type.result }, undefined);
  }

  /** All methods must have the same types. */
  #signatureOfDispatch(of: Dispatch): Signature | undefined {
    const signatures = of.map(({ body }) => this.#signatureOfBody(body, ANY_OBJECT));
    const keys = new Set(signatures.map(signature => JSON.stringify(signature)));
    return keys.size === 1 ? signatures[0] : undefined;
  }
}

/** The closed types, traits, and types of containers that a value consists of. */
export function usedTypes(kinds: ClosedKinds, type: Type): readonly UsedType[] {
  const own = isContainer(type) ? [type] : [];
  switch (type.kind) {
    case 'list':
    case 'nullable':
    case 'set':
      return [...own, ...usedTypes(kinds, type.element)];
    case 'map':
      return [...own, ...usedTypes(kinds, type.key), ...usedTypes(kinds, type.value)];
    case 'trait':
      return [type.symbol];
    default: {
      const closed = kinds.closedOf(type);
      return closed === undefined ? own : [closed];
    }
  }
}

/** The types of the parameters and the result. */
function typesOf(of: Callee): readonly Type[] {
  if (isDispatch(of) || isCommon(of) || isGuard(of)) return [];
  if (isSingleton(of)) return [of.value.type];
  const self = classOfSelf(of)?.type;
  const { params, outputs = [] } = codeOfCallee(of);
  const result =
    'body' in of ? [of.body.result, ...outputs.map(({ type }) => type)] : 'closure' in of ? [of.closure.result] : [];
  const own = 'closures' in of ? [of.type] : [...params.map(({ type }) => type), ...result];
  return self === undefined ? own : [self, ...own];
}

function hasLoop(of: Callee): boolean {
  const { checks, block } = codeOfCallee(of);
  let isFound = false;
  visitCode(
    { block: [...checks.filter(check => check.kind === 'check'), ...block] },
    {
      stmt({ kind }) {
        if (kind === 'while' || kind === 'count' || kind === 'each') isFound = true;
      },
    },
  );
  return isFound;
}
