import { answerCompile, type CompileRequest } from './compile-request.ts';
import type { LuauValue } from './luau-value.ts';
import { StepLoop } from './step-loop.ts';
import type { LuauVm } from './vm.ts';
import type { CommandBarResult, OutputLevel } from './worker-messages.ts';
import { toCommandBarValue } from './command-bar-value.ts';
import type { HttpRequest, SocketRequest } from './web-access.ts';

/** The requests of the VM to its host after a step, in the shapes that the Luau services push into the outbox. */
type FromLuau =
  | { readonly kind: 'log'; readonly level: OutputLevel; readonly message: string }
  | { readonly kind: 'status'; readonly status: string }
  | {
      readonly kind: 'ran';
      readonly id: number;
      readonly values?: readonly { readonly value?: LuauValue; readonly text: string }[];
      readonly problem?: { readonly message: string; readonly traceback: string };
      readonly printed: readonly string[];
    }
  | CompileRequest
  | ({ readonly kind: 'httpRequest' } & HttpRequest)
  | ({ readonly kind: 'socketOpen' } & SocketRequest)
  | { readonly kind: 'socketSend'; readonly id: number; readonly data: Uint8Array }
  | { readonly kind: 'socketClose'; readonly id: number };

/** The receiver of the VM's requests. */
export interface StudioHost {
  log(level: OutputLevel, message: string): void;
  status(status: string): void;
  ran(id: number, result: CommandBarResult): void;
  request(request: HttpRequest): void;
  openSocket(request: SocketRequest): void;
  sendToSocket(id: number, data: Uint8Array): void;
  closeSocket(id: number): void;
}

/** Drives the VM of a headless Studio. `onFailed` is called when the VM itself failed; nothing runs afterwards. */
export class StudioLoop implements Disposable {
  readonly #vm: LuauVm;
  readonly #host: StudioHost;
  readonly #loop: StepLoop;

  constructor(vm: LuauVm, host: StudioHost, onFailed: (error: unknown) => void) {
    this.#vm = vm;
    this.#host = host;
    this.#loop = new StepLoop(vm, message => this.#deliver(message as unknown as FromLuau), onFailed);
  }

  post(message: LuauValue): void {
    this.#loop.post(message);
  }

  [Symbol.dispose](): void {
    this.#loop[Symbol.dispose]();
  }

  #deliver(message: FromLuau): void {
    switch (message.kind) {
      case 'log':
        return this.#host.log(message.level, message.message);
      case 'status':
        return this.#host.status(message.status);
      case 'ran':
        return this.#host.ran(message.id, toResult(message));
      case 'compile':
        return this.post(answerCompile(this.#vm, message));
      case 'httpRequest':
        return this.#host.request(message);
      case 'socketOpen':
        return this.#host.openSocket(message);
      case 'socketSend':
        return this.#host.sendToSocket(message.id, message.data);
      case 'socketClose':
        return this.#host.closeSocket(message.id);
    }
  }
}

function toResult({ values = [], problem, printed }: Extract<FromLuau, { kind: 'ran' }>): CommandBarResult {
  if (problem !== undefined) return { ok: false, error: problem, printed };
  return { ok: true, values: values.map(({ value, text }) => toCommandBarValue(value ?? null, text)), printed };
}
