import { access } from 'node:fs/promises';
import type { Model } from '../../src/roblox/instances/model.ts';
import { answerCompile, type CompileRequest } from '../../src/headless-studio/compile-request.ts';
import { readLuauFolder } from '../../src/headless-studio/luau-folder.ts';
import type { LuauValue } from '../../src/headless-studio/luau-value.ts';
import { modelFromBytes, modelToBytes } from '../../src/headless-studio/place-bytes.ts';
import { SharedBytes } from '../../src/headless-studio/variant-bytes.ts';
import { reflectionToLuau } from '../../src/headless-studio/reflection-value.ts';
import { LuauError, type LuauVm, startLuauVm } from '../../src/headless-studio/vm.ts';
import { reflectionData } from './reflection.ts';

const root = new URL('../../', import.meta.url);

/**
 * A VM with `studio-plugin/src/**` as `plugin/…` and `src/headless-studio/luau/**` as `headless/…`, without Roblox globals. Chunks
 * may require `@plugin/core/x`; `run` and `call` answer plain values and throw `LuauError` with `module:line: message`.
 */
export async function startTestVm(more: ReadonlyMap<string, string> = new Map()): Promise<LuauVm> {
  return startLuauVm(new Map([...(await luauModules()), ...more]));
}

/**
 * The same VM with Roblox globals (`game`, `Instance`, `Enum`, `task`, …) over a place, empty by default. It has no network, and time
 * is virtual: `run` resumes the chunk and its threads until the chunk ends, jumping from timer to timer.
 */
export interface TestStudio {
  readonly vm: LuauVm;
  /** Returns the chunk's return values. Throws `LuauError` for its errors and for a chunk that waits forever. */
  run(source: string, ...args: readonly LuauValue[]): readonly LuauValue[];
  /** Returns the message of the error that the chunk must end with. */
  failure(source: string, ...args: readonly LuauValue[]): string;
  /** Advances time, delivers messages to the VM as the host would, and answers the VM's requests. */
  step(seconds: number, ...inbox: readonly LuauValue[]): readonly StudioMessage[];
  /** All messages from the VM so far: logs, requests, results. */
  readonly messages: readonly StudioMessage[];
  save(): Model;
}
// Shared by all studios of a process: compiling the modules dominates the start.
const luauReflection = reflectionToLuau(reflectionData);
let modules: Promise<ReadonlyMap<string, string>> | undefined;

/** The minimum step in seconds; threads that always want the next step must not stop time. */
const SHORTEST_STEP = 1 / 256;

export type StudioMessage = { readonly kind: string } & { readonly [key: string]: LuauValue };

export async function startTestStudio(
  place?: Model,
  more: ReadonlyMap<string, string> = new Map(),
): Promise<TestStudio> {
  const vm = await startTestVm(more);
  const shared = new SharedBytes();
  vm.call('headless/host', 'start', luauReflection, 'Place1', place ? modelToBytes(place, shared) : null);
  const messages: StudioMessage[] = [];
  let now = 0;
  let wake: number | null = null;
  const step: TestStudio['step'] = (seconds, ...inbox) => {
    now += seconds;
    const [outbox, next] = vm.call('headless/host', 'step', now, inbox);
    wake = next as number | null;
    messages.push(...(outbox as StudioMessage[]));
    const compiled = (outbox as StudioMessage[])
      .filter(({ kind }) => kind === 'compile')
      .map(message => answerCompile(vm, message as unknown as CompileRequest));
    if (compiled.length > 0) return [...(outbox as StudioMessage[]), ...step(0, ...compiled)];
    return outbox as StudioMessage[];
  };
  const studio: TestStudio = {
    vm,
    step,
    messages,
    save: () => modelFromBytes(vm.call('headless/host', 'save')[0] as Uint8Array, new Map(), shared),
    failure(source, ...args) {
      try {
        studio.run(source, ...args);
      } catch (error) {
        if (error instanceof LuauError) return error.message;
        throw error;
      }
      throw new Error(`this chunk does not fail: ${source}`);
    },
    run(source, ...args) {
      const path = 'test/chunk';
      vm.compile(source, path);
      const first = messages.length;
      step(0, { kind: 'run', id: first, path, args });
      for (;;) {
        const end = messages.slice(first).find(message => message.kind === 'ran' && message['id'] === first);
        if (end !== undefined) return resultsOf(end);
        if (wake === null) throw new Error('the chunk waits forever');
        step(Math.max(wake - now, SHORTEST_STEP));
      }
    },
  };
  return studio;
}

function resultsOf(end: StudioMessage): readonly LuauValue[] {
  const problem = end['problem'] as { message: string; traceback: string } | undefined;
  if (problem !== undefined) throw new LuauError(problem.message, problem.traceback);
  return (end['values'] as readonly { value?: LuauValue }[]).map(each => each.value ?? null);
}

export function luauModules(): Promise<ReadonlyMap<string, string>> {
  return (modules ??= readModules());
}

async function readModules(): Promise<ReadonlyMap<string, string>> {
  const plugin = new URL('studio-plugin/src/', root).pathname;
  const headless = new URL('src/headless-studio/luau/', root).pathname;
  const hasPlugin = await access(plugin).then(
    () => true,
    () => false,
  );
  return new Map([
    ...(hasPlugin ? await readLuauFolder(plugin, 'plugin') : []),
    ...(await readLuauFolder(headless, 'headless')),
  ]);
}
