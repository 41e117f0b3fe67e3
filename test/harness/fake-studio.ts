import { createHash } from 'node:crypto';
import { nodeHasher } from '../../src/adapters/node/hasher.ts';
import { subtreeOf } from '../../src/sync/changes/subtree.ts';
import { runToEnd } from '../../src/base/time-slice.ts';
import { Emitter } from '../../src/base/emitter.ts';
import type { StudioChannel } from '../../src/ports/studio-channel.ts';
import { reasonOf } from '../../src/protocol/reason.ts';
import type { PatchType, PropertyChange } from '../../src/protocol/sync-result.ts';
import type {
  AppliedItem,
  ApplyDecision,
  Compared,
  FromPlugin,
  StudioChange,
  StudioCommand,
  StudioInstance,
  StudioVerdict,
} from '../../src/protocol/studio/stream.ts';
import type { ReadInstance, ReadResponse } from '../../src/protocol/studio/messages.ts';
import type { WireVariant } from '../../src/protocol/values.ts';

/** An instance of the fake place, with its path (`ServerScriptService/Main`). */
export interface PlaceInstance {
  className: string;
  source?: string;
  draft?: string;
  properties?: Record<string, WireVariant>;
}

type CommandType = StudioCommand['type'];

export const gitBlob = (text: string): string =>
  createHash('sha1')
    .update(`blob ${Buffer.byteLength(text)}\0${text}`)
    .digest('hex');

const isScript = (className: string): boolean => ['Script', 'LocalScript', 'ModuleScript'].includes(className);
const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/**
 * A Studio with our plugin, reduced to what a sync run sees: it answers the command stream over a place whose instances are named by
 * their paths. Sibling names are unique here; the plugin's own tests cover matching and real values.
 */
export class FakeStudio {
  readonly place = new Map<string, PlaceInstance>();
  /** Commands that get no reply at all, not even `received`. */
  readonly silent = new Set<CommandType>();
  /** Commands that are received and then never answered. */
  readonly stalled = new Set<CommandType>();
  /** Runs when a command arrives, before the fake executes it. */
  before: (command: StudioCommand) => void = () => {};
  readonly commands: StudioCommand[] = [];
  /** The request ids that the bridge cancelled. */
  readonly cancelled: string[] = [];
  readonly #readTree: () => ReadResponse;
  readonly #toBridge = new Emitter<string>();
  /** Fires when a part of a message arrives at the bridge. */
  readonly part = new Emitter<void>();
  readonly #closed = new Emitter<{ readonly reason: string }>();
  #byId = new Map<string, { path: string; incoming: ReadInstance | undefined; wasThere: boolean }>();
  #open = true;

  constructor(readTree: () => ReadResponse, place: Record<string, PlaceInstance>) {
    this.#readTree = readTree;
    for (const [path, instance] of Object.entries(place)) this.place.set(path, { ...instance });
  }

  /** The bridge's end of the socket. */
  readonly channel: StudioChannel = {
    send: text => this.#receive(JSON.parse(text) as StudioCommand),
    onMessage: this.#toBridge.event,
    onPart: this.part.event,
    onClosed: this.#closed.event,
    liftLimit: () => {},
    close: reason => this.disconnect(reason),
  };

  hello(fields: object = {}): void {
    const capabilities = [
      'acknowledgedApply',
      'stableIds',
      'requestIds',
      'scriptsByPath',
      'otherTrees',
      'merges',
      'asideComparisons',
    ];
    this.#toBridge.fire(JSON.stringify({ type: 'hello', placeId: 7, placeName: 'Baseplate', capabilities, ...fields }));
  }

  disconnect(reason = 'Studio was closed'): void {
    if (!this.#open) return;
    this.#open = false;
    this.#closed.fire({ reason });
  }

  source(path: string): string | undefined {
    return this.place.get(path)?.source;
  }

  edit(path: string, source: string): void {
    const instance = this.place.get(path);
    if (instance === undefined) throw new Error(`there is no ${path} in the place`);
    instance.source = source;
  }

  /** Sends any frame, whether the protocol knows it or not. */
  sendRaw(message: unknown): void {
    if (this.#open) this.#toBridge.fire(JSON.stringify(message));
  }

  #reply(message: FromPlugin): void {
    this.sendRaw(message);
  }

  #receive(command: StudioCommand): void {
    if (!('requestId' in command)) return;
    if (command.type === 'cancel') return void this.cancelled.push(command.requestId);
    this.commands.push(command);
    if (this.silent.has(command.type)) return;
    const { requestId } = command;
    this.#reply({ type: 'received', requestId });
    this.before(command);
    if (this.stalled.has(command.type)) return;
    switch (command.type) {
      case 'compare':
        return this.#reply(this.#compare(command));
      case 'read':
        return this.#reply({ type: 'instances', requestId, ...this.#read(command.ids) });
      case 'apply':
        return this.#reply({ type: 'applied', requestId, results: command.decisions.map(d => this.#apply(d)) });
      case 'getScript':
        return this.#reply(this.#getScript(command));
      case 'children':
      case 'find':
      case 'inspect':
      case 'select':
      case 'untracked':
        // The fake does not announce the capability, so no bridge may send this.
        throw new Error('the fake Studio got a command without its capability');
    }
  }

  #compare(command: Extract<StudioCommand, { type: 'compare' }>): Compared {
    const tree = command.tree === undefined ? this.#readTree() : { ...command.tree, sessionId: '', messageCursor: 0 };
    const onDisk = pathsOf(tree);
    const changes: StudioChange[] = [];
    this.#byId = new Map();
    for (const [path, incoming] of onDisk) {
      this.#byId.set(incoming.Id, { path, incoming, wasThere: this.place.has(path) });
      const change = this.#compareOne(path, incoming);
      if (change !== undefined) changes.push(change);
    }
    for (const [path, instance] of this.place) {
      const parent = onDisk.get(path.slice(0, path.lastIndexOf('/')));
      if (onDisk.has(path) || parent === undefined) continue;
      const id = createHash('md5').update(path).digest('hex');
      this.#byId.set(id, { path, incoming: undefined, wasThere: true });
      if (parent.Metadata.ignoreUnknownInstances && !isScript(instance.className)) continue;
      changes.push(this.#change(path, id, 'Remove', parent.Id, instance));
    }
    const overrides = command.overrides.map((override): StudioVerdict => {
      const { id, direction } = override;
      const change = changes.find(candidate => candidate.id === id);
      if (change === undefined) return { id, direction, verdict: 'stale_id', reason: reasonOf('no_such_change') };
      if (
        override.studioHash !== undefined &&
        change.studioHash !== undefined &&
        override.studioHash !== change.studioHash
      )
        return { id, direction, verdict: 'hash_mismatch', reason: reasonOf('studio_hash_now', change.studioHash) };
      return { id, direction, verdict: 'accepted' };
    });
    const place = { name: 'Baseplate', placeId: 7 };
    return {
      type: 'compared',
      requestId: command.requestId,
      place,
      messageCursor: tree.messageCursor,
      changes,
      overrides,
    };
  }

  #compareOne(path: string, incoming: ReadInstance): StudioChange | undefined {
    const live = this.place.get(path);
    if (live === undefined) {
      const isService = !path.includes('/');
      return isService
        ? undefined
        : this.#change(path, incoming.Id, 'Add', incoming.Parent, { className: incoming.ClassName });
    }
    const sourceDiffers = isScript(live.className) && sourceOf(incoming) !== live.source;
    const properties: Record<string, PropertyChange> = {};
    for (const [name, value] of Object.entries(incoming.Properties)) {
      const current = live.properties?.[name];
      if (name !== 'Source' && current !== undefined && !same(current, value))
        properties[name] = { current, incoming: value };
    }
    if (!sourceDiffers && Object.keys(properties).length === 0) return undefined;
    return { ...this.#change(path, incoming.Id, 'Edit', incoming.Parent, live), sourceDiffers, properties };
  }

  #change(path: string, id: string, patchType: PatchType, parentId: string, live: PlaceInstance): StudioChange {
    const name = this.#byId.get(id)?.incoming?.Name ?? path.slice(path.lastIndexOf('/') + 1);
    const hash = live.source === undefined ? {} : { studioHash: gitBlob(live.source) };
    const draft = live.draft === undefined || live.draft === live.source ? {} : { draftHash: gitBlob(live.draft) };
    const facts = { id, patchType, path, name, className: live.className, parentId, sourceDiffers: false };
    const removed = patchType === 'Remove' ? { subtree: this.#subtree(id, path) } : {};
    return { ...facts, ...hash, ...draft, ...removed };
  }

  #subtree(id: string, path: string): NonNullable<StudioChange['subtree']> {
    const below = Array.from(this.place).filter(([key]) => key.startsWith(`${path}/`));
    const listed = below.map(([key, { className }]) => `${key.slice(path.length + 1)} (${className})`);
    return { ...runToEnd(subtreeOf(this.#snapshot(id, path), nodeHasher)), listed };
  }

  #read(ids: readonly string[]): { instances: StudioInstance[]; missing: string[] } {
    const instances: StudioInstance[] = [];
    const missing: string[] = [];
    for (const id of ids) {
      const path = this.#byId.get(id)?.path;
      if (path === undefined || !this.place.has(path)) missing.push(id);
      else instances.push(this.#snapshot(id, path));
    }
    return { instances, missing };
  }

  #snapshot(id: string, path: string): StudioInstance {
    const live = this.place.get(path) ?? { className: 'Folder' };
    const children = [...this.place.keys()].filter(key => key.slice(0, key.lastIndexOf('/')) === path);
    return {
      id,
      name: path.slice(path.lastIndexOf('/') + 1),
      className: live.className,
      ...(live.source === undefined ? {} : { source: live.source, studioHash: gitBlob(live.source) }),
      properties: live.properties ?? {},
      children: children.map(child => this.#snapshot(createHash('md5').update(child).digest('hex'), child)),
    };
  }

  #apply(decision: ApplyDecision): AppliedItem {
    const { id } = decision;
    const known = this.#byId.get(id);
    if (known === undefined)
      return { id, ok: false, code: 'stale_id', unchanged: true, reason: reasonOf('no_such_change') };
    if (known.wasThere !== this.place.has(known.path))
      return { id, ok: false, code: 'stale_id', unchanged: true, reason: reasonOf('studio_removed') };
    const live = this.place.get(known.path);
    const hash = live?.source === undefined ? undefined : gitBlob(live.source);
    if (decision.studioHash !== undefined && decision.studioHash !== hash)
      return { id, ok: false, code: 'hash_mismatch', unchanged: true, reason: reasonOf('script_changed') };
    if (decision.direction === 'pull') return { id, ok: true, ...(hash === undefined ? {} : { studioHash: hash }) };
    if (known.incoming === undefined) {
      for (const path of Array.from(this.place.keys()))
        if (path === known.path || path.startsWith(`${known.path}/`)) this.place.delete(path);
      return { id, ok: true };
    }
    if (decision.merged !== undefined && live !== undefined) {
      const { source = live.source, values } = decision.merged;
      const merged = source === undefined ? {} : { source };
      this.place.set(known.path, { ...live, ...merged, properties: { ...live.properties, ...values } });
      return { id, ok: true, ...(source === undefined ? {} : { studioHash: gitBlob(source) }) };
    }
    const source = sourceOf(known.incoming);
    const { Source: _, ...properties } = known.incoming.Properties;
    this.place.set(known.path, {
      className: known.incoming.ClassName,
      ...(source === undefined ? {} : { source }),
      properties: { ...live?.properties, ...properties },
    });
    return { id, ok: true, ...(source === undefined ? {} : { studioHash: gitBlob(source) }) };
  }

  #getScript(command: Extract<StudioCommand, { type: 'getScript' }>): FromPlugin {
    const { requestId, id, fromDraft } = command;
    const path = this.#byId.get(id)?.path ?? command.names?.join('/');
    const live = path === undefined ? undefined : this.place.get(path);
    if (path === undefined || live === undefined)
      return { type: 'failed', requestId, code: 'stale_id', message: reasonOf('unknown_id') };
    if (live.source === undefined)
      return {
        type: 'failed',
        requestId,
        code: 'not_a_script',
        message: reasonOf('not_a_script', live.className),
        className: live.className,
      };
    const source = fromDraft ? (live.draft ?? live.source) : live.source;
    const isDraft = fromDraft && live.draft !== undefined;
    const { className } = live;
    return {
      type: 'script',
      requestId,
      status: 'success',
      source,
      studioHash: gitBlob(source),
      className,
      instancePath: path,
      isDraft,
    };
  }
}

function sourceOf(instance: ReadInstance): string | undefined {
  const source = instance.Properties['Source'];
  return typeof source === 'object' && typeof source['String'] === 'string' ? source['String'] : undefined;
}

/** Instances of a tree by their path below the root, parents first. */
function pathsOf(tree: ReadResponse): Map<string, ReadInstance> {
  const paths = new Map<string, ReadInstance>();
  const walk = (instance: ReadInstance, path: string): void => {
    if (path !== '') paths.set(path, instance);
    for (const id of instance.Children) {
      const child = tree.instances[id];
      if (child !== undefined) walk(child, path === '' ? child.Name : `${path}/${child.Name}`);
    }
  };
  for (const instance of Object.values(tree.instances))
    if (tree.instances[instance.Parent] === undefined) walk(instance, '');
  return paths;
}
