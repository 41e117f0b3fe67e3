import { Emitter } from '../../src/base/emitter.ts';
import { textOfFrame } from './text-of-frame.ts';
import type { StudioChannel } from '../../src/ports/studio-channel.ts';

/** The direction and kind of a message: `toStudio: compare`, `toBridge: compared`. */
export type Passing = `${'toStudio' | 'toBridge'}: ${string}`;

/** A link that a test observes and breaks. It loses message number `cutAt` and closes then. */
export class FaultyLink {
  /** The messages so far, the lost one included, in order. */
  readonly passed: Passing[] = [];
  /** One-based; 0 never breaks the link. */
  cutAt = 0;
  /** Changes messages to the bridge. */
  damage: (text: string) => string = text => text;
  /** Queues messages to the bridge until `release` is called. */
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
    inner.onMessage(frame => {
      const text = this.damage(textOfFrame(frame));
      if (!carries('toBridge', text)) return;
      if (this.holds?.(typeOf(text)) === true) this.#held.push(text);
      else this.#toBridge.fire(text);
    });
    this.channel = {
      send: text => void (carries('toStudio', text) && inner.send(text)),
      onMessage: this.#toBridge.event,
      ...(inner.onPart && { onPart: inner.onPart }),
      onClosed: inner.onClosed,
      liftLimit: () => inner.liftLimit(),
      close: reason => inner.close(reason),
    };
  }

  /** Delivers the queued messages in reverse order. */
  release(): void {
    this.holds = undefined;
    for (const text of this.#held.splice(0).toReversed()) this.#toBridge.fire(text);
  }
}

const typeOf = (text: string): string => String((JSON.parse(text) as { type?: unknown }).type);
