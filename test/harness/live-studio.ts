import { WebSocket } from 'ws';
import type { LiveFromPlugin, LiveToPlugin } from '../../src/protocol/studio/live.ts';
import { FakePlugin } from './fake-plugin.ts';
import { testKey } from './memory-studio-keys.ts';
import { proveKey, sessionHeaders } from './prove-key.ts';
import { gitBlob } from './fake-studio.ts';

/**
 * The plugin's half of a live session over one script, reduced to its rules: an edit applies only to the text that it was made from, an
 * edit waits for the answer to the previous one, and the session state outlives the connection. Breaks the link at the message that a
 * test names.
 */
export class LiveStudio implements AsyncDisposable {
  /** The script's saved Source in Studio. */
  source = '';
  /** Messages of live sessions either way, in order. */
  readonly messages: string[] = [];
  /** The link breaks instead of delivering this message (one-based). */
  cutAt = 0;
  readonly #url: string;
  readonly #path: string;
  #id = '';
  /** The last known text of the file. */
  #known = '';
  #cursor = -1;
  #isDirty = false;
  #seq = 0;
  #inFlight: string | undefined;
  #socket: WebSocket | undefined;
  #isLive = false;
  #isOver = false;
  #token = '';

  constructor(url: string, path: string) {
    this.#url = url;
    this.#path = path;
  }

  connect(): void {
    if (this.#isOver) return;
    const socket = new WebSocket(`${this.#url.replace('http', 'ws')}/api/mcp/stream`);
    this.#socket = socket;
    socket.once('open', () => void this.#greet(socket).catch(() => {}));
    socket.on('message', (bytes: Buffer) => {
      // A broken link does not deliver what follows the lost message, even if it has arrived already.
      if (socket.readyState === WebSocket.OPEN) void this.#receive(JSON.parse(String(bytes)) as LiveToPlugin);
    });
    socket.on('error', () => {});
    socket.once('close', () => {
      this.#isLive = false;
      setImmediate(() => this.connect());
    });
  }

  edit(source: string): void {
    this.source = source;
    this.#isDirty = true;
    this.#flush();
  }

  /** Whether every edit made here has been answered. */
  get isSettled(): boolean {
    return !this.#isDirty && this.#inFlight === undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    const socket = this.#socket;
    if (socket === undefined || socket.readyState === WebSocket.CLOSED) return;
    const closed = new Promise(resolve => socket.once('close', resolve));
    socket.terminate();
    await closed;
  }

  /** False when the message was lost. */
  #carries(type: string): boolean {
    this.messages.push(type);
    if (this.messages.length !== this.cutAt) return true;
    this.#socket?.terminate();
    return false;
  }

  #send(message: LiveFromPlugin): void {
    if (this.#carries(message.type)) this.#socket?.send(JSON.stringify(message));
  }

  async #greet(socket: WebSocket): Promise<void> {
    this.#token = await proveKey(socket, testKey);
    const capabilities = ['acknowledgedApply', 'stableIds', 'requestIds', 'live'];
    socket.send(JSON.stringify({ type: 'hello', placeId: 7, capabilities }));
  }

  async #receive(message: LiveToPlugin): Promise<void> {
    if (!message.type.startsWith('live') || !this.#carries(message.type)) return;
    switch (message.type) {
      case 'live':
        if (message.mode === 'off') return;
        if (this.#cursor < 0 || message.isFresh) await this.#read();
        // The edit in flight is sent again and answered before anything else.
        if (this.#inFlight === undefined) return this.#ready();
        return this.#sendEdit(this.#inFlight);
      case 'livePatch': {
        const update = message.message.updated.find(one => one.id === this.#id);
        const incoming = (update?.changedProperties['Source'] as { String: string } | undefined)?.String;
        const ok = incoming === undefined || this.source === this.#known || this.source === incoming;
        if (ok && incoming !== undefined) this.source = incoming;
        this.#known = incoming ?? this.#known;
        this.#cursor = message.cursor;
        return this.#send({
          type: 'liveApplied',
          cursor: message.cursor,
          results: [{ id: this.#id, ok, ...(!ok && { code: 'hash_mismatch' as const }) }],
        });
      }
      case 'liveRead':
        throw new Error('this Studio has not announced that it reads');
      case 'liveWritten':
        if (message.seq !== this.#seq || this.#inFlight === undefined) return;
        if (message.results[0]?.ok === true) this.#known = this.#inFlight;
        this.#inFlight = undefined;
        return this.#isLive ? this.#flush() : this.#ready();
    }
  }

  #ready(): void {
    this.#isLive = true;
    this.#send({ type: 'liveReady', cursor: this.#cursor, undecided: 0 });
    this.#flush();
  }

  async #read(): Promise<void> {
    const plugin = new FakePlugin(this.#url, sessionHeaders(this.#token));
    await plugin.connect();
    this.#cursor = plugin.tree.messageCursor;
    const instance = plugin.at(this.#path);
    this.#id = instance.Id;
    this.#known = (instance.Properties['Source'] as { String: string }).String;
    if (this.source === '') this.source = this.#known;
  }

  #flush(): void {
    if (!this.#isLive || !this.#isDirty || this.#inFlight !== undefined) return;
    this.#isDirty = false;
    if (this.source === this.#known) return;
    this.#seq += 1;
    this.#inFlight = this.source;
    this.#sendEdit(this.source);
  }

  #sendEdit(source: string): void {
    const edit = { id: this.#id, source, baseHash: gitBlob(this.#known), properties: {}, base: {} };
    this.#send({ type: 'liveEdit', seq: this.#seq, edits: [edit] });
  }
}
