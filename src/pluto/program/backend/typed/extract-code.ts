import type { PausableWork } from '../../../../base/time-slice.ts';
import type { Type } from '../../../language/check/types/type.ts';
import { CallGraph } from './call-graph.ts';
import type { ExtractedProgram } from './code-extractor.ts';
import { HotTypes } from './hot-types.ts';
import { findJavaScript } from './javascript-code.ts';
import { LoopExtractor } from './loop-extractor.ts';
import { ObjectExtractor } from './object-extractor.ts';
import type { TypedFunction, TypedProgram } from './typed-form.ts';

/** Rounds after which no code with objects gets functions. Each round looks at all code that blocks. */
const MAX_ROUNDS = 8;

/**
 * Makes functions of code that WebAssembly can express and that is in code that only JavaScript can: of loops that do not block, and in code
 * that blocks, of what it does with objects that other code uses in loops.
 *
 * @returns the functions of the program
 */
export function* extractCode(program: TypedProgram): PausableWork<readonly TypedFunction[]> {
  const graph = yield* CallGraph.of(program);
  const javaScript = yield* findJavaScript(program, graph);
  const extracted: TypedFunction[] = [];
  const context: ExtractedProgram = { graph, javaScript, extracted };
  const bodies = javaScript.own.filter(of => !('self' in of && of.self !== undefined));
  for (const of of bodies) {
    const extractor = new LoopExtractor(context, of);
    of.body = { ...of.body, block: extractor.block(of.body.block) };
    yield;
  }
  const hot = yield* HotTypes.of(program, javaScript, extracted);
  const blocking = bodies.filter(of => graph.isBlocking(of));
  for (let round = 0; round < MAX_ROUNDS && !hot.isEmpty; round += 1) {
    const left = new Set<Type>();
    const rewritten: (() => void)[] = [];
    const own: TypedFunction[] = [];
    for (const of of blocking) {
      const extractor = new ObjectExtractor({ ...context, extracted: own }, hot, of);
      const body = { ...of.body, block: extractor.block(of.body.block) };
      rewritten.push(() => void (of.body = body));
      for (const type of extractor.left) left.add(type);
      yield;
    }
    hot.remove(left);
    if (left.size > 0) continue;
    for (const rewrite of rewritten) rewrite();
    extracted.push(...own);
    break;
  }
  return extracted.length === 0 ? program.functions : [...program.functions, ...extracted];
}
