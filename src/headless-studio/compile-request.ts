import type { LuauValue } from './luau-value.ts';
import { LuauError, type LuauVm } from './vm.ts';

/** Luau wants a script of the place compiled, to take it under `path`; `name` is what its error positions say. */
export interface CompileRequest {
  readonly kind: 'compile';
  readonly id: number;
  readonly path: string;
  readonly name: string;
  readonly source: string;
}

/** Compiles it; answers the message that `luau/host.luau` waits for. */
export function answerCompile(vm: LuauVm, { id, path, name, source }: CompileRequest): LuauValue {
  try {
    vm.compile(source, path, name);
    return { kind: 'compiled', id };
  } catch (error) {
    if (error instanceof LuauError) return { kind: 'compiled', id, problem: error.message };
    throw error;
  }
}
