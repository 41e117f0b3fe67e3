import assert from 'node:assert/strict';
import { posix } from 'node:path';
import fc from 'fast-check';
import { formatSentence } from '../../src/base/sentence.ts';
import type { LiveControl } from '../../src/studio/live/live-control.ts';
import { JournalRecord } from '../../src/protocol/journal/journal-record.ts';
import type { StudioInstance } from '../../src/protocol/studio/stream.ts';
import { isDone } from '../../src/protocol/sync-result.ts';
import { type ConnectedHeadless, connectHeadless } from './connect-headless.ts';
import { defaultSettings } from './default-settings.ts';
import { pairedKey } from './memory-studio-keys.ts';
import { settle } from './settle.ts';
import { startBridge, type TestBridge } from './start-bridge.ts';
import { StudioProxy } from './studio-proxy.ts';
import { until } from './until.ts';

/** Names of module scripts below ServerScriptService; `Box` is a folder on both sides. A script of `a/x` is a child of the script `a`. */
const SCRIPTS = ['a', 'b', 'Box/a', 'Box/c', 'New/a', 'a/x'] as const;
type ScriptName = (typeof SCRIPTS)[number];
/** The names of scripts and folders. */
const NAMES = [...SCRIPTS, 'Box', 'New'] as const;
type Name = (typeof NAMES)[number];

export type LiveStep =
  | { readonly kind: 'save'; readonly side: 'disk' | 'Studio'; readonly name: ScriptName }
  /** Removes a script or folder with everything below it. */
  | { readonly kind: 'remove'; readonly side: 'disk' | 'Studio'; readonly name: Name }
  /** Renames or moves a script or folder in Studio, or its file or folder on disk. */
  | { readonly kind: 'move'; readonly side: 'disk' | 'Studio'; readonly name: Name; readonly to: Name }
  /** The connection breaks instead of delivering the next message but `after`. */
  | { readonly kind: 'cut'; readonly after: number }
  | { readonly kind: 'wait'; readonly turns: number }
  /** Creates a script with a new name, also in a new folder. */
  | { readonly kind: 'create'; readonly side: 'disk' | 'Studio'; readonly isInFolder: boolean }
  /** Gives a new name to a script of `create` on its side, or to its folder, also in a new folder. `of`: which one, counted round. */
  | { readonly kind: 'rename'; readonly side: 'disk' | 'Studio'; readonly of: number; readonly isInFolder: boolean }
  /** Live Sync is turned on or off. */
  | { readonly kind: 'live'; readonly isOn: boolean }
  /** The disk of the journal becomes full, or has space again. */
  | { readonly kind: 'journal'; readonly isFull: boolean }
  /** Waits until both sides are equal or a person was asked. */
  | { readonly kind: 'settle' }
  /** Decides all differences. */
  | { readonly kind: 'sync'; readonly direction: 'push' | 'pull' };

const name = fc.constantFrom(...NAMES);
const script = fc.constantFrom(...SCRIPTS);
const side = fc.constantFrom('disk' as const, 'Studio' as const);
/** Steps of two people, of whom each changes everything. */
export const liveStep: fc.Arbitrary<LiveStep> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('save' as const), side, name: script }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove' as const), side, name }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('move' as const), side, name, to: name }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cut' as const), after: fc.integer({ min: 1, max: 12 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('live' as const), isOn: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('journal' as const), isFull: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('wait' as const), turns: fc.integer({ min: 1, max: 60 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('settle' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('sync' as const), direction: fc.constantFrom('push', 'pull') }),
  },
);

/**
 * Steps of two people who change different scripts, and create, rename and move their own ones. A person is asked about a removal in
 * Studio, and about a name that another script just had, so these are left out. After a lost connection a person may be asked.
 */
export const separateStep: fc.Arbitrary<LiveStep> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('save' as const),
      side: fc.constant('disk' as const),
      name: fc.constantFrom('a' as const, 'Box/a' as const),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('save' as const),
      side: fc.constant('Studio' as const),
      name: fc.constantFrom('b' as const, 'Box/c' as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('remove' as const),
      side: fc.constant('disk' as const),
      name: fc.constantFrom('a' as const, 'Box/a' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cut' as const), after: fc.integer({ min: 1, max: 12 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('create' as const), side, isInFolder: fc.boolean() }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('rename' as const), side, of: fc.nat(9), isInFolder: fc.boolean() }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('wait' as const), turns: fc.integer({ min: 1, max: 60 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('settle' as const) }) },
);

const project = JSON.stringify({
  name: 'Game',
  tree: { $className: 'DataModel', ServerScriptService: { $path: 'server' } },
});
const SETUP = `
local root = game:GetService("ServerScriptService")
local box = Instance.new("Folder") box.Name = "Box" box.Parent = root
local first = Instance.new("ModuleScript") first.Name = "a" first.Source = "return 0\\n" first.Parent = root
local function find(name)
  local at = root
  for each in string.gmatch(name, "[^/]+") do
    at = at and at:FindFirstChild(each)
  end
  return at
end
-- The folders above a name exist after this.
local function parentOf(name)
  local above = string.match(name, "^(.*)/")
  if above == nil then return root end
  local at = find(above)
  if at == nil then
    at = Instance.new("Folder") at.Name = above at.Parent = root
  end
  return at
end
local function sources(at)
  local found = if at:IsA("ModuleScript") then { at.Source } else {}
  for _, below in at:GetDescendants() do
    if below:IsA("ModuleScript") then table.insert(found, below.Source) end
  end
  return table.concat(found, "\\0")
end
function _G.save(name, text)
  local at = find(name)
  if at and not at:IsA("ModuleScript") then return "refused" end
  local before = if at then at.Source else nil
  if at then at.Source = text return before end
  at = Instance.new("ModuleScript") at.Name = string.match(name, "[^/]+$") at.Source = text at.Parent = parentOf(name)
  return nil
end
function _G.remove(name)
  local at = find(name)
  if at == nil then return nil end
  at.Parent = nil
  return sources(at)
end
function _G.move(name, to)
  local at = find(name)
  if at == nil or find(to) then return end
  at.Name = string.match(to, "[^/]+$")
  at.Parent = parentOf(to)
end
function _G.all()
  local found = {}
  for _, at in root:GetDescendants() do
    local path, above = at.Name, at.Parent
    while above ~= root do path, above = above.Name .. "/" .. path, above.Parent end
    if at:IsA("ModuleScript") then table.insert(found, path .. "=" .. at.Source) end
  end
  table.sort(found)
  return table.concat(found, "\\0")
end`;

interface OnOneSide {
  readonly side: 'disk' | 'Studio';
  readonly name: string;
}

/** The answer to a save of a script where a folder is. */
const REFUSED = 'refused';

/** Live Sync in both directions between files and headless Studio, two people who edit, and the texts that must not be lost. */
class LiveModel implements AsyncDisposable {
  readonly #bridge: TestBridge;
  readonly #studio: ConnectedHeadless;
  readonly #proxy: StudioProxy;
  /** Every text that a person wrote, and that only Live Sync may have replaced or removed since. */
  readonly #owed = new Set<string>();
  /** The names of the scripts of `create`, and of their folders. */
  readonly #created: Record<'disk' | 'Studio', readonly string[]> = { disk: [], Studio: [] };
  #written = 0;
  /** The reasons for which a person was asked since all differences were decided. */
  #reasons: string[] = [];

  private constructor(bridge: TestBridge, studio: ConnectedHeadless, proxy: StudioProxy) {
    this.#bridge = bridge;
    this.#studio = studio;
    this.#proxy = proxy;
    bridge.live.onDidNeedSync(reason => this.#reasons.push(formatSentence(reason)));
  }

  static async start(): Promise<LiveModel> {
    const files = { 'default.project.json': project, 'server/a.luau': 'return 0\n', 'server/Box/': '' };
    const settings = defaultSettings({ live: () => 'twoWay' });
    // Small packets, so that a few changes are several packets.
    const bridge = await startBridge(files, { settings }, { maxPacketChanges: 2 });
    const proxy = await StudioProxy.start(bridge.studioUrl);
    const studio = await connectHeadless({ studioUrl: `http://127.0.0.1:${proxy.port}` }, SETUP, pairedKey);
    const model = new LiveModel(bridge, studio, proxy);
    await model.#untilOn();
    return model;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#studio.studio[Symbol.asyncDispose]();
    await this.#proxy[Symbol.asyncDispose]();
    await this.#bridge[Symbol.asyncDispose]();
  }

  #untilOn(): Promise<void> {
    const isOn = (state: ReturnType<LiveControl['state']>): boolean => state.kind === 'on';
    return until(() => this.#bridge.studios.all().length > 0 && isOn(this.#bridge.live.state()));
  }

  async take(step: LiveStep): Promise<void> {
    switch (step.kind) {
      case 'save':
        return await this.#save(step);
      case 'remove':
        return await this.#remove(step);
      case 'move':
        return await this.#move(step);
      case 'cut':
        this.#proxy.cutAt = this.#proxy.passed.length + step.after;
        return;
      case 'create':
        return await this.#create(step);
      case 'rename':
        return await this.#rename(step);
      case 'live':
        this.#bridge.live.setMode(step.isOn ? undefined : 'off');
        return;
      case 'journal':
        this.#bridge.journal.failing = step.isFull;
        return;
      case 'wait':
        return await settle(step.turns);
      case 'settle':
        return await this.#settled();
      case 'sync':
        await this.#sync(step.direction);
        return;
    }
  }

  async #create({ side: where, isInFolder }: LiveStep & { kind: 'create' }): Promise<void> {
    const at = this.#newName(isInFolder);
    await this.#save({ side: where, name: at });
    this.#created[where] = [...this.#created[where], at, ...(isInFolder ? [posix.dirname(at)] : [])];
  }

  async #rename({ side: where, of, isInFolder }: LiveStep & { kind: 'rename' }): Promise<void> {
    const created = this.#created[where];
    const from = created[of % Math.max(1, created.length)];
    if (from === undefined) return;
    const to = this.#newName(isInFolder);
    await this.#move({ side: where, name: from, to });
    const isBelow = (at: string): boolean => at === from || at.startsWith(`${from}/`);
    this.#created[where] = created.map(at => (isBelow(at) ? `${to}${at.slice(from.length)}` : at));
  }

  #newName(isInFolder: boolean): string {
    const number = (this.#written += 1);
    return isInFolder ? `Folder${number}/s${number}` : `s${number}`;
  }

  async #save({ side: where, name: at }: OnOneSide): Promise<void> {
    const text = `return ${(this.#written += 1)}\n`;
    const before =
      where === 'disk'
        ? this.#saveFile(at, text)
        : await this.#call(`save(${JSON.stringify(at)}, ${JSON.stringify(text)})`);
    if (before === REFUSED) return;
    // A person who replaces or removes a text on its side has seen it.
    if (before !== undefined) this.#owed.delete(before);
    this.#owed.add(text);
  }

  /** Returns the text before. */
  #saveFile(at: string, text: string): string | undefined {
    const { disk } = this.#bridge;
    const above = posix.dirname(at);
    const parent = disk.text(`server/${above}.luau`);
    if (parent !== undefined) {
      // A script with children is a folder.
      disk.delete(`server/${above}.luau`);
      disk.set(`server/${above}/init.luau`, parent);
    }
    const isFolder = disk.paths().some(path => path.startsWith(`server/${at}/`));
    const file = isFolder ? `server/${at}/init.luau` : `server/${at}.luau`;
    const before = disk.text(file);
    if (isFolder && before === undefined) return REFUSED;
    disk.set(file, text);
    return before;
  }

  async #remove({ side: where, name: at }: OnOneSide): Promise<void> {
    const removed =
      where === 'disk'
        ? this.#removeFiles(at)
        : ((await this.#call(`remove(${JSON.stringify(at)})`)) ?? '').split('\0');
    for (const text of removed) this.#owed.delete(text);
  }

  /** The files of a script or folder, and of everything below it. */
  #filesOf(at: string): readonly string[] {
    return this.#bridge.disk.paths().filter(path => path === `server/${at}.luau` || path.startsWith(`server/${at}/`));
  }

  #removeFiles(at: string): readonly string[] {
    const { disk } = this.#bridge;
    const texts = this.#filesOf(at).map(path => disk.text(path) ?? '');
    disk.delete(`server/${at}.luau`);
    disk.delete(`server/${at}`);
    return texts;
  }

  async #move({ side: where, name: from, to }: OnOneSide & { readonly to: string }): Promise<void> {
    if (`${to}/`.startsWith(`${from}/`)) return;
    if (where === 'Studio') return void (await this.#call(`move(${JSON.stringify(from)}, ${JSON.stringify(to)})`));
    const { disk } = this.#bridge;
    if (this.#filesOf(to).length > 0 || disk.text(`server/${posix.dirname(to)}.luau`) !== undefined) return;
    const moved = this.#filesOf(from).map(path => [path, disk.text(path) ?? ''] as const);
    this.#removeFiles(from);
    for (const [path, text] of moved) disk.set(`server/${to}${path.slice(`server/${from}`.length)}`, text);
  }

  async #call(call: string): Promise<string | undefined> {
    const [value] = await this.#studio.lua(`return _G.${call}`);
    return typeof value === 'string' ? value : undefined;
  }

  async #inStudio(): Promise<string> {
    return (await this.#call('all()')) ?? '';
  }

  #onDisk(): string {
    const { disk } = this.#bridge;
    const scripts = disk.paths().flatMap(path => {
      // The second instance of a name has a folder with a project file beside it: `a~2/a.luau`.
      const [, at] = /^server\/(.*?)(?:\/init)?\.luau$/.exec(path.replaceAll(/([^/]+)~\d+\/(?=\1[/.])/g, '')) ?? [];
      return at === undefined ? [] : [`${at}=${disk.text(path)}`];
    });
    return scripts.toSorted().join('\0');
  }

  /** The texts on both sides. */
  async #texts(): Promise<ReadonlySet<string>> {
    // Studio first: a text that gets from Studio into a file meanwhile is found there.
    const sides = [await this.#inStudio(), this.#onDisk()];
    return new Set(sides.flatMap(scripts => scripts.split('\0').map(textOf)));
  }

  async #settled(): Promise<void> {
    if (this.#bridge.live.mode() === 'off') return;
    await until(async () => (await this.#inStudio()) === this.#onDisk() || this.#reasons.length > 0);
  }

  /** Decides all differences; a connection that breaks meanwhile may end the run. */
  async #sync(way: 'push' | 'pull'): Promise<boolean> {
    const run = (request: { readonly mode: 'dryrun' | 'fastfail'; readonly ids: readonly string[] }) =>
      this.#bridge.engine.start({
        mode: request.mode,
        overrides: request.ids.map(id => ({ id, direction: way })),
        requestedBy: 'test',
      }).result;
    const { changes } = await run({ mode: 'dryrun', ids: [] });
    const result = await run({ mode: 'fastfail', ids: changes.map(({ id }) => id) });
    const isDecided =
      result.status === 'empty' ||
      (result.status === 'success' && result.changes.every(({ outcome }) => isDone(outcome)));
    await this.#checkRecorded(result.runId);
    if (isDecided) this.#reasons = [];
    return isDecided;
  }

  /** Live Sync still works after everything that happened: once all differences are decided, both sides become and stay equal. */
  async checkStillWorks(): Promise<void> {
    this.#proxy.cutAt = 0;
    this.#bridge.journal.failing = false;
    this.#bridge.live.setMode(undefined);
    await this.#settled();
    await until(async () => {
      await this.#untilOn();
      return (await this.#sync('push')) && (await this.#inStudio()) === this.#onDisk();
    });
    await this.#untilOn();
    for (const where of ['disk', 'Studio'] as const) {
      await this.#save({ side: where, name: 'b' });
      await until(async () => (await this.#inStudio()) === this.#onDisk());
    }
  }

  checkNotAsked(): void {
    assert.deepEqual(this.#reasons, []);
  }

  /** Live Sync replaces no text that the other person has not seen; a sync keeps in the journal what it replaces. */
  async checkNothingLost(): Promise<void> {
    const kept = await this.#texts();
    for (const text of this.#owed) assert.ok(kept.has(text), `${JSON.stringify(text)} is lost`);
  }

  /** A script that has a new name or place is not on a side twice. */
  async checkNothingTwice(): Promise<void> {
    for (const scripts of [await this.#inStudio(), this.#onDisk()]) {
      const texts = scripts.split('\0').map(textOf);
      assert.equal(new Set(texts).size, texts.length, scripts.replaceAll('\0', ', '));
    }
  }

  /** Every text that is on no side any more is in the journal. @param decidedIn the run that replaced texts by decision */
  async #checkRecorded(decidedIn: string): Promise<void> {
    const kept = await this.#texts();
    const recorded = new Set<string>();
    const decided = new Set<string>();
    const { journal } = this.#bridge;
    for (const { runId, record } of await journal.list())
      for (const { choice, studio, files } of JournalRecord.parse(record).items) {
        const inStudio = studio === null ? [] : sourcesOf(studio);
        const onDisk: string[] = [];
        for (const { blob } of files)
          if (blob !== null) onDisk.push(new TextDecoder().decode(await journal.readBlob(runId, blob)));
        for (const text of [...inStudio, ...onDisk]) recorded.add(text);
        if (runId === decidedIn) for (const text of choice === 'push' ? inStudio : onDisk) decided.add(text);
      }
    for (const text of this.#owed) {
      if (kept.has(text)) continue;
      assert.ok(recorded.has(text), `${JSON.stringify(text)} is not in the journal`);
      this.#owed.delete(text);
    }
    // An edit that was on its way while the run replaced it is on the other side for a moment, until Live Sync sends the decision.
    for (const text of decided) this.#owed.delete(text);
  }
}

const textOf = (script: string): string => script.slice(script.indexOf('=') + 1);
const sourcesOf = (studio: StudioInstance): string[] => [studio.source ?? '', ...studio.children.flatMap(sourcesOf)];

/** Takes the steps of `separateStep`: both sides become equal, without a question if the connection is not lost. @throws AssertionError */
export async function takeSeparateSteps(steps: readonly LiveStep[]): Promise<void> {
  await using model = await LiveModel.start();
  for (const step of steps) await model.take(step);
  await model.take({ kind: 'settle' });
  if (steps.every(({ kind }) => kind !== 'cut')) model.checkNotAsked();
  await model.checkNothingLost();
  await model.checkNothingTwice();
}

/** Takes the steps, and checks after each that no text is lost, and at the end that Live Sync still works. @throws AssertionError */
export async function takeLiveSteps(steps: readonly LiveStep[]): Promise<void> {
  await using model = await LiveModel.start();
  for (const step of steps) {
    await model.take(step);
    await model.checkNothingLost();
  }
  await model.checkStillWorks();
  await model.checkNothingLost();
}
