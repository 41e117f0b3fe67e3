import type { PausableWork } from '../../../../base/time-slice.ts';
import type { ClassType, EnumType, Type } from '../../../language/check/types/type.ts';
import { visitCode } from '../typed/children.ts';
import type { TypedProgram } from '../typed/typed-form.ts';
import { CallGroups } from './call-groups.ts';
import { type Callee, classOfSelf, type ClosableType, codeOfCallee } from './callee.ts';
import type { FunctionContext } from './function-code.ts';
import {
  firstVariantType,
  indexOfKind,
  isStringList,
  type Kind,
  kindOf,
  type Layout,
  type ObjectKind,
  objectType,
  type VariantLayout,
} from './kinds.ts';
import { emitFunction, type Signature } from './statements.ts';
import { Unsupported } from './unsupported.ts';

interface Analysis {
  readonly signature: Signature;
  /** The code that it calls. */
  readonly callees: ReadonlySet<Callee>;
  /** The closed types whose values it uses. */
  readonly closed: ReadonlySet<ClosableType>;
  readonly hasLoop: boolean;
}

/** The code that can become WebAssembly if the values of some types are only there. */
export class Analyses {
  readonly #closed: readonly ClosableType[];
  readonly #hasStringLists: boolean;
  readonly #kinds = new Map<ClassType | EnumType, ObjectKind>();
  #layouts: readonly Layout[] | undefined;
  /** `undefined` for code that only JavaScript can express. */
  readonly #analyses = new Map<Callee, Analysis | undefined>();
  readonly #groups = new CallGroups(of => this.analyze(of)?.callees);

  /**
   * @param closed the types whose values are only in WebAssembly
   * @param hasStringLists whether lists of strings may be in WebAssembly
   */
  constructor(closed: readonly ClosableType[], hasStringLists: boolean) {
    this.#closed = closed;
    this.#hasStringLists = hasStringLists;
    for (const [index, { type }] of closed.entries()) if (type !== undefined) this.#kinds.set(type, `object ${index}`);
  }

  /** Looks at all code of a program, in steps. */
  static *of(
    { functions, classes }: TypedProgram,
    closed: readonly ClosableType[],
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

  /** A closed type. */
  closedOf(type: Type): ClosableType | undefined {
    const kind = type.kind === 'class' || type.kind === 'enum' ? this.#kinds.get(type) : undefined;
    return kind && this.#closedWith(kind);
  }

  /** The closed type of a value, or of the values in a list. */
  closedIn(kind: Kind): ClosableType | undefined {
    const [object] = /object \d+/.exec(kind) ?? [];
    return object === undefined ? undefined : this.#closedWith(object as ObjectKind);
  }

  #closedWith(kind: ObjectKind): ClosableType | undefined {
    return this.#closed[indexOfKind(kind)];
  }

  readonly field: FunctionContext['field'] = (object, name) => {
    const of = this.#closedWith(object);
    const fields = of !== undefined && 'fields' in of ? of.fields : [];
    const index = fields.findIndex(one => one.name === name);
    const type = fields[index]?.type;
    const kind = type && this.kindOf(type);
    return kind && { index, kind };
  };

  readonly enumOf: FunctionContext['enumOf'] = object => {
    const of = this.#closedWith(object);
    const layout = this.layouts[indexOfKind(object)];
    if (of === undefined || !('variants' in of) || layout?.kind !== 'enum') return undefined;
    return { of, variants: layout.variants };
  };

  /** The structures of the closed types. */
  get layouts(): readonly Layout[] {
    this.#layouts ??= this.#newLayouts();
    return this.#layouts;
  }

  #newLayouts(): readonly Layout[] {
    const kindsOf = (types: readonly Type[]): readonly Kind[] =>
      types.map(type => this.kindOf(type)).filter(kind => kind !== undefined);
    let type = firstVariantType(this.#closed.length);
    let constant = 0;
    return this.#closed.map((of, index): Layout => {
      if ('fields' in of) return { kind: 'class', fields: kindsOf(of.fields.map(field => field.type)) };
      const variants = of.variants.map((fields): VariantLayout => {
        if (fields.length > 0) return { type: type++, fields: kindsOf(fields), constant: undefined };
        return { type: objectType(`object ${index}`), fields: [], constant: constant++ };
      });
      return { kind: 'enum', variants };
    });
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
    const closed = new Set<ClosableType>();
    const use = (kind: Kind | undefined): void => {
      const used = kind && this.closedIn(kind);
      if (used) closed.add(used);
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
      enumOf: this.enumOf,
    };
    try {
      emitFunction(context, of, signature);
    } catch (error) {
      if (error instanceof Unsupported) return undefined;
      throw error;
    }
    return { signature, callees, closed, hasLoop: hasLoop(of) };
  }

  #signature(of: Callee): Signature | undefined {
    if ('variants' in of) {
      const kind = this.#kinds.get(of.type);
      return kind && { self: undefined, params: [`${kind}?`, `${kind}?`], result: 'bool' };
    }
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
