import type { LuauValue } from './luau-value.ts';
import { LuauError, type LuauVm } from './vm.ts';

/** A request of Luau to compile a script of the place under `path`; error positions contain `name`. */
export interface CompileRequest {
  readonly kind: 'compile';
  readonly id: number;
  readonly path: string;
  readonly name: string;
  readonly source: string;
}

/** Compiles the script. Returns the message that `luau/host.luau` waits for. */
export function answerCompile(vm: LuauVm, { id, path, name, source }: CompileRequest): LuauValue {
  try {
    vm.compile(source, path, name);
    return { kind: 'compiled', id };
  } catch (error) {
    if (error instanceof LuauError) return { kind: 'compiled', id, problem: error.message };
    throw error;
  }
}
