import type { PausableWork } from '../../../../base/time-slice.ts';
import type { ClassType, Type } from '../../../language/check/types/type.ts';
import { visitCode } from '../typed/children.ts';
import type { TypedClass, TypedProgram } from '../typed/typed-form.ts';
import { CallGroups } from './call-groups.ts';
import { type Callee, classOfSelf, codeOfCallee } from './callee.ts';
import type { FunctionContext } from './function-code.ts';
import { isStringList, type Kind, kindOf, type ObjectKind } from './kinds.ts';
import { emitFunction, type Signature } from './statements.ts';
import { Unsupported } from './unsupported.ts';

interface Analysis {
  readonly signature: Signature;
  /** The code that it calls. */
  readonly callees: ReadonlySet<Callee>;
  /** The classes whose objects it uses. */
  readonly classes: ReadonlySet<TypedClass>;
  readonly hasLoop: boolean;
}

/** The code that can become WebAssembly if the objects of some classes are only there. */
export class Analyses {
  readonly #classes: readonly TypedClass[];
  readonly #hasStringLists: boolean;
  readonly #kinds = new Map<ClassType, ObjectKind>();
  /** `undefined` for code that only JavaScript can express. */
  readonly #analyses = new Map<Callee, Analysis | undefined>();
  readonly #groups = new CallGroups(of => this.analyze(of)?.callees);

  /**
   * @param classes those whose objects are only in WebAssembly
   * @param hasStringLists whether lists of strings may be in WebAssembly
   */
  constructor(classes: readonly TypedClass[], hasStringLists: boolean) {
    this.#classes = classes;
    this.#hasStringLists = hasStringLists;
    for (const [index, { type }] of classes.entries()) if (type !== undefined) this.#kinds.set(type, `object ${index}`);
  }

  /** Looks at all code of a program, in steps. */
  static *of(
    { functions, classes }: TypedProgram,
    closed: readonly TypedClass[],
    hasStringLists: boolean,
  ): PausableWork<Analyses> {
    const analyses = new Analyses(closed, hasStringLists);
    const all = [...functions, ...classes.flatMap(({ methods }) => Array.from(methods.values()))];
    for (const one of all) {
      analyses.analyze(one);
      yield;
    }
    yield* analyses.#groups.findAll(all);
    return analyses;
  }

  readonly kindOf = (type: Type): Kind | undefined =>
    isStringList(type) && !this.#hasStringLists ? undefined : kindOf(type, of => this.#kinds.get(of));

  /** The class of an object in WebAssembly. */
  classOf(type: Type): TypedClass | undefined {
    const kind = type.kind === 'class' ? this.#kinds.get(type) : undefined;
    return kind && this.#classWith(kind);
  }

  /** The class of an object, or of the objects in a list. */
  classIn(kind: Kind): TypedClass | undefined {
    const [object] = /object \d+/.exec(kind) ?? [];
    return object === undefined ? undefined : this.#classWith(object as ObjectKind);
  }

  #classWith(kind: ObjectKind): TypedClass | undefined {
    return this.#classes[Number(kind.slice('object '.length))];
  }

  readonly field: FunctionContext['field'] = (object, name) => {
    const fields = this.#classWith(object)?.fields ?? [];
    const index = fields.findIndex(one => one.name === name);
    const type = fields[index]?.type;
    const kind = type && this.kindOf(type);
    return kind && { index, kind };
  };

  /** The kinds of the fields of each class. */
  get fieldKinds(): readonly (readonly Kind[])[] {
    return this.#classes.map(({ fields }) =>
      fields.map(({ type }) => this.kindOf(type)).filter(kind => kind !== undefined),
    );
  }

  /** Whether calls of the code from JavaScript take less time than they save. */
  isWorthCalling(of: Callee): boolean {
    const { isSupported, isRecursive } = this.#groups.of(of);
    return isSupported && (isRecursive || (this.analyze(of)?.hasLoop ?? false));
  }

  /** Whether the code becomes WebAssembly: it saves time, or uses objects that are only there. */
  isWasm(of: Callee): boolean {
    return this.isWorthCalling(of) || (this.isSupported(of) && (this.analyze(of)?.classes.size ?? 0) > 0);
  }

  /** Whether the code and all that it calls can become WebAssembly. */
  isSupported(of: Callee): boolean {
    return this.#groups.of(of).isSupported;
  }

  analyze(of: Callee): Analysis | undefined {
    if (this.#analyses.has(of)) return this.#analyses.get(of);
    const analysis = this.#newAnalysis(of);
    this.#analyses.set(of, analysis);
    return analysis;
  }

  #newAnalysis(of: Callee): Analysis | undefined {
    const signature = this.#signature(of);
    if (signature === undefined) return undefined;
    const callees = new Set<Callee>();
    const classes = new Set<TypedClass>();
    const use = (kind: Kind | undefined): void => {
      const used = kind && this.classIn(kind);
      if (used) classes.add(used);
    };
    for (const kind of [signature.self, ...signature.params, signature.result]) use(kind);
    const context: FunctionContext = {
      functionIndex(callee) {
        callees.add(callee);
        return 0;
      },
      text: () => 0,
      readsBytes() {},
      kindOf: type => {
        const kind = this.kindOf(type);
        use(kind);
        return kind;
      },
      field: this.field,
    };
    try {
      emitFunction(context, of, signature);
    } catch (error) {
      if (error instanceof Unsupported) return undefined;
      throw error;
    }
    return { signature, callees, classes, hasLoop: hasLoop(of) };
  }

  #signature(of: Callee): Signature | undefined {
    if ('hasSelf' in of && of.hasSelf) return undefined;
    const owner = classOfSelf(of);
    const self = owner?.type && this.#kinds.get(owner.type);
    if (owner !== undefined && self === undefined) return undefined;
    if ('invariants' in of) return { self, params: [], result: undefined };
    const { params: variables, result: type } = of.body;
    const params = variables.map(variable => this.kindOf(variable.type)).filter(kind => kind !== undefined);
    const result = type.kind === 'void' ? undefined : this.kindOf(type);
    if (params.length < variables.length || (type.kind !== 'void' && result === undefined)) return undefined;
    return { self, params, result };
  }
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
