import { textOfFrame } from './text-of-frame.ts';
import { randomUUID } from 'node:crypto';
import { WebSocket } from 'ws';
import type { ReadResponse } from '../../src/protocol/studio/messages.ts';
import type { Applied, Compared, FromPlugin, Script, StudioChange } from '../../src/protocol/studio/stream.ts';
import { FakePlugin } from './fake-plugin.ts';
import { FakeStudio, gitBlob, type PlaceInstance } from './fake-studio.ts';

interface Override {
  readonly id: string;
  readonly direction: string;
  readonly studioHash?: string;
}

/** The Atlas plugin at its command stream: it reports "success" before it applies, and accepts one sync at a time. */
export class LegacyStudio implements AsyncDisposable {
  readonly place: FakeStudio;
  readonly plugin: FakePlugin;
  /** Commands in order, `sync` with its mode. */
  readonly commands: string[] = [];
  /** The selection of the last sync that was not a dry run. */
  selected: readonly Override[] = [];
  /** Overrides the plugin's answer; `undefined` keeps it. */
  answer: (command: {
    readonly type: string;
    readonly mode?: string;
    readonly fromDraft?: boolean;
  }) => object | 'nothing' | undefined = () => undefined;
  /** Runs between "success" and the apply. */
  beforeApply: () => void | Promise<void> = () => {};
  /** Ids that are reported as applied but are not. */
  readonly lost = new Set<string>();
  /** Whether replies say that a text is a draft; the specification does not demand it. */
  reportsDrafts = true;
  readonly closed: Promise<string>;
  readonly #socket: WebSocket;
  readonly #replies = new Map<string, FromPlugin>();
  #tree: ReadResponse = { sessionId: '', messageCursor: 0, instances: {} };
  #compareId = '';
  #isBusy = false;
  readonly #work: Promise<void>[] = [];

  constructor(url: string, place: Record<string, PlaceInstance>) {
    this.place = new FakeStudio(() => this.#tree, place);
    this.place.channel.onMessage(frame => {
      const text = textOfFrame(frame);
      const reply = JSON.parse(text) as FromPlugin;
      if (reply.type !== 'received' && 'requestId' in reply) this.#replies.set(reply.requestId, reply);
    });
    this.plugin = new FakePlugin(url);
    this.#socket = new WebSocket(`${url.replace('http', 'ws')}/api/mcp/stream`);
    this.closed = new Promise(resolve => this.#socket.once('close', (_code, reason) => resolve(String(reason))));
    this.#socket.on('message', (bytes: Buffer) => {
      const work = this.#receive(JSON.parse(String(bytes)));
      this.#work.push(
        work.catch((error: unknown) => {
          // The bridge has stopped, so the request gets no answer.
          if (this.#socket.readyState === WebSocket.OPEN) throw error;
        }),
      );
    });
  }

  static async connect(url: string, place: Record<string, PlaceInstance>, hello: object = {}): Promise<LegacyStudio> {
    const studio = new LegacyStudio(url, place);
    await new Promise((resolve, reject) => {
      studio.#socket.once('open', resolve);
      studio.#socket.once('error', reject);
    });
    studio.send({
      type: 'hello',
      twoWaySync: true,
      oneShotSync: true,
      confirmationBehavior: 'Always',
      placeId: 7,
      ...hello,
    });
    return studio;
  }

  send(frame: object): void {
    this.#socket.send(JSON.stringify(frame));
  }

  /** Resolves once all accepted commands are done, including those from before the link broke. */
  async idle(): Promise<void> {
    await Promise.all(this.#work);
  }

  cut(): void {
    this.#socket.terminate();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#socket.terminate();
    await this.closed;
    await this.plugin[Symbol.asyncDispose]();
  }

  async #receive(command: {
    type: string;
    requestId: string;
    mode?: string;
    overrides?: Override[];
    id?: string;
    fromDraft?: boolean;
  }): Promise<void> {
    if (command.requestId === undefined) return;
    this.commands.push(command.mode === undefined ? command.type : `${command.type} ${command.mode}`);
    // Console output arrives in between; it is not a result.
    this.send({ type: 'roblox_log', message: '[Rojo-Info] working', level: 0 });
    const { requestId } = command;
    const instead = this.answer(command);
    if (instead === 'nothing') return;
    if (instead !== undefined) return this.send({ requestId, ...instead });
    if (command.type === 'getScript') return this.#getScript(requestId, String(command.id), command.fromDraft === true);
    if (command.type !== 'sync') return;
    if (this.#isBusy) return this.send({ requestId, status: 'sync_in_progress', changes: [], message: 'busy' });
    await this.#sync(requestId, command.mode ?? 'standard', command.overrides ?? []);
  }

  async #sync(requestId: string, mode: string, overrides: readonly Override[]): Promise<void> {
    await this.plugin.connect();
    const git = (await this.plugin.get('/api/git-metadata')).body;
    this.#tree = this.plugin.tree;
    const { changes } = this.#ask<Compared>({ type: 'compare', overrides: [] });
    this.#compareId = this.#lastId;
    const listed = changes.map(change => legacyChange(change));
    if (changes.length === 0) return this.send({ requestId, status: 'empty', changes: [] });
    if (mode === 'dryrun') return this.send({ requestId, status: 'dryrun', changes: listed });
    this.selected = overrides;
    const chosen = new Map(
      overrides.filter(one => isVerified(one, changes)).map(one => [one.id, one.direction] as const),
    );
    const open = changes.filter(change => change.patchType === 'Remove' || (git === null && !chosen.has(change.id)));
    if (open.length > 0)
      return this.send({ requestId, status: 'fastfail_unresolved', changes: listed, message: 'unresolved' });
    this.#isBusy = true;
    const pushed = Array.from(chosen).flatMap(([id, direction]) => (direction === 'push' ? [id] : []));
    this.send({ requestId, status: 'success', changes: listed.filter(change => pushed.includes(change.id)) });
    await this.beforeApply();
    const decisions = pushed.filter(id => !this.lost.has(id)).map(id => ({ id, direction: 'push' as const }));
    this.#ask<Applied>({ type: 'apply', compareId: this.#compareId, runId: 'r', decisions });
    await this.plugin.write({ stageIds: pushed });
    this.#isBusy = false;
  }

  #getScript(requestId: string, id: string, fromDraft: boolean): void {
    const reply = this.#ask<Script | { type: 'failed'; message: string }>({ type: 'getScript', id, fromDraft });
    if (reply.type === 'failed') return this.send({ requestId, status: 'error', message: reply.message });
    const { source, className, instancePath, isDraft } = reply;
    const script = { source, studioHash: gitBlob(source), className, instancePath };
    this.send({ requestId, status: 'success', ...script, ...(this.reportsDrafts && { isDraft }) });
  }

  #lastId = '';

  #ask<T>(command: object): T {
    this.#lastId = randomUUID();
    this.place.channel.send(JSON.stringify({ ...command, requestId: this.#lastId }));
    return this.#replies.get(this.#lastId) as T;
  }
}

const isVerified = (override: Override, changes: readonly StudioChange[]): boolean => {
  const change = changes.find(one => one.id === override.id);
  return change !== undefined && (override.studioHash === undefined || override.studioHash === change.studioHash);
};

function legacyChange({ id, path, className, patchType, studioHash, properties }: StudioChange) {
  return {
    id: patchType === 'Remove' ? randomUUID() : id,
    path: `Baseplate/${path}`,
    className,
    patchType,
    direction: 'unresolved',
    ...(studioHash !== undefined && { studioHash }),
    ...(properties !== undefined && Object.keys(properties).length > 0 && { properties }),
  };
}
