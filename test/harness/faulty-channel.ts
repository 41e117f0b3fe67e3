import { Emitter } from '../../src/base/emitter.ts';
import type { StudioChannel } from '../../src/ports/studio-channel.ts';

/** One message on its way: `toStudio: compare`, `toBridge: compared`. */
export type Passing = `${'toStudio' | 'toBridge'}: ${string}`;

/** A link that a test watches and breaks: every message is counted, and the one at `cutAt` is lost together with the link. */
export class FaultyLink {
  /** What has passed, or was about to, in order. */
  readonly passed: Passing[] = [];
  /** Counted from 1; 0: never. */
  cutAt = 0;
  /** Holds back what goes to the bridge instead of delivering it; `release` delivers. */
  holds: ((type: string) => boolean) | undefined;
  readonly #held: string[] = [];
  readonly #toBridge = new Emitter<string>();
  readonly channel: StudioChannel;

  constructor(inner: StudioChannel) {
    const carries = (direction: 'toStudio' | 'toBridge', text: string): boolean => {
      this.passed.push(`${direction}: ${typeOf(text)}`);
      if (this.passed.length !== this.cutAt) return true;
      inner.close('the link was cut');
      return false;
    };
    inner.onMessage(text => {
      if (!carries('toBridge', text)) return;
      if (this.holds?.(typeOf(text)) === true) this.#held.push(text);
      else this.#toBridge.fire(text);
    });
    this.channel = {
      send: text => void (carries('toStudio', text) && inner.send(text)),
      onMessage: this.#toBridge.event,
      onClosed: inner.onClosed,
      close: reason => inner.close(reason),
    };
  }

  /** Delivers what was held back, the last first. */
  release(): void {
    this.holds = undefined;
    for (const text of this.#held.splice(0).toReversed()) this.#toBridge.fire(text);
  }
}

const typeOf = (text: string): string => String((JSON.parse(text) as { type?: unknown }).type);
