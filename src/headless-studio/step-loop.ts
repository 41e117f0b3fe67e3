import type { LuauValue } from './luau-value.ts';
import type { LuauVm } from './vm.ts';

/**
 * Drives the scheduler of a VM in which `headless/host` has been started. Posted messages are delivered at the next step, and steps run
 * when a message was posted or a Luau thread is due. `deliver` gets the requests of the VM; `onFailed` is called when the VM itself failed,
 * and nothing runs afterwards.
 */
export class StepLoop implements Disposable {
  readonly #vm: LuauVm;
  readonly #deliver: (message: LuauValue) => void;
  readonly #onFailed: (error: unknown) => void;
  #inbox: LuauValue[] = [];
  #timer: NodeJS.Timeout | undefined;
  #isStepDue = false;
  #isOver = false;

  constructor(vm: LuauVm, deliver: (message: LuauValue) => void, onFailed: (error: unknown) => void) {
    this.#vm = vm;
    this.#deliver = deliver;
    this.#onFailed = onFailed;
  }

  post(message: LuauValue): void {
    this.#inbox.push(message);
    this.scheduleStep();
  }

  [Symbol.dispose](): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }

  /** Schedules a step although nothing was posted: a call into the VM may have started threads. */
  scheduleStep(): void {
    if (this.#isStepDue || this.#isOver) return;
    this.#isStepDue = true;
    setImmediate(() => {
      this.#isStepDue = false;
      this.#step();
    });
  }

  #step(): void {
    if (this.#isOver) return;
    clearTimeout(this.#timer);
    const inbox = this.#inbox;
    this.#inbox = [];
    try {
      const [outbox, wake] = this.#vm.call('headless/host', 'step', now(), inbox);
      for (const message of outbox as readonly LuauValue[]) this.#deliver(message);
      if (typeof wake === 'number') this.#wakeAt(wake);
    } catch (error) {
      this.#isOver = true;
      this.#onFailed(error);
    }
  }

  #wakeAt(seconds: number): void {
    const ms = (seconds - now()) * 1000;
    if (ms <= 0) this.scheduleStep();
    else this.#timer = setTimeout(() => this.#step(), ms);
  }
}

/** Time in seconds, as in Luau. */
const now = (): number => performance.now() / 1000;
