import type { Event } from '../base/emitter.ts';

/** An entry of `resources/list`. */
export interface ResourceListing {
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
}

/** An entry of `resources/templates/list`: the form of addresses that are too many to be listed (RFC 6570). */
export interface ResourceTemplate extends Omit<ResourceListing, 'uri'> {
  readonly uriTemplate: string;
}

/** What a client may read without calling a tool. */
export interface ResourceSource {
  readonly listings: readonly ResourceListing[];
  readonly templates: readonly ResourceTemplate[];
  /**
   * The text behind `uri`; `undefined` when it is none of this source's.
   * @throws AppError when it is, and cannot be read now
   */
  read(uri: string, signal: AbortSignal): Promise<{ readonly mimeType: string; readonly text: string } | undefined>;
  /** The address of what may have changed. Clients that read something below it should read it again, too. */
  readonly onDidChange: Event<string>;
}

/** Whether a reader of `subscribed` should hear of a change of `changed`. */
export const affects = (changed: string, subscribed: string): boolean =>
  subscribed === changed || subscribed.startsWith(`${changed}/`);
