import type { Event } from '../base/emitter.ts';

/** An entry of `resources/list`. */
export interface ResourceListing {
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
}

/** An entry of `resources/templates/list`: a URI template (RFC 6570) for resources that are too many to list. */
export interface ResourceTemplate extends Omit<ResourceListing, 'uri'> {
  readonly uriTemplate: string;
}

/** Resources that a client can read without calling a tool. */
export interface ResourceSource {
  readonly listings: readonly ResourceListing[];
  readonly templates: readonly ResourceTemplate[];
  /**
   * Reads the resource `uri`; `undefined` if it does not belong to this source.
   * @throws AppError if it belongs to this source but cannot be read
   */
  read(uri: string, signal: AbortSignal): Promise<{ readonly mimeType: string; readonly text: string } | undefined>;
  /** Fires with the URI of a resource that may have changed. Resources below that URI may have changed too. */
  readonly onDidChange: Event<string>;
}

/** Whether subscribers of `subscribed` are notified of a change of `changed`. */
export const affects = (changed: string, subscribed: string): boolean =>
  subscribed === changed || subscribed.startsWith(`${changed}/`) || subscribed.startsWith(`${changed}?`);
