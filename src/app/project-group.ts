import { AppError, type ListedProject } from '../base/errors.ts';
import { Emitter, type Event } from '../base/emitter.ts';
import type { ToolRegistry, ToolView } from '../mcp/registry.ts';
import { toolFailure, type ToolResult, withProjectName } from '../mcp/result.ts';
import type { JsonObjectSchema, ToolCall, ToolListing } from '../mcp/tool.ts';
import type { RunLock } from '../ports/run-lock.ts';
import type { PlaceClaims } from '../studio/place-claims.ts';
import { StudioHandles } from '../studio/studio-handles.ts';
import type { StudioDirectory } from '../studio/studio-link.ts';
import type { SyncEngine } from '../sync/sync-engine.ts';
import { mergedResources } from './merged-resources.ts';

/** The part of a project's bridge that the group uses. */
export interface ProjectMember {
  /** The path of the project file, unique in the window. */
  readonly file: string;
  /** The folder of the project's paths, absolute. */
  readonly root: string;
  /** The name of the project; the file while it cannot be read. */
  readonly name: () => string;
  /** The loaded project. */
  readonly info: () => PlaceClaims | undefined;
  readonly studios: Pick<StudioDirectory, 'all'>;
  readonly engine: Pick<SyncEngine, 'find' | 'recorded'>;
  readonly registry: ToolRegistry;
}

/**
 * The projects that one window serves, each with its own bridge. The bridges share the handles of Studios and one lock of runs, because a
 * window shows one review at a time.
 */
export interface ProjectGroup {
  readonly handles: StudioHandles;
  /** A lock that refuses a run while another project of the window has one. @param name the project in that refusal */
  lock(own: RunLock, name: () => string): RunLock;
  /** Reserves the places of a project whose bridge has not started yet, so that no other project gets them meanwhile. */
  expect(file: string, claims: PlaceClaims): void;
  /** The places of the other projects. */
  others(file: string): readonly PlaceClaims[];
  /** Adds the bridge of a project until it is disposed. */
  join(member: ProjectMember): Disposable;
  /** The tools of all projects, served at the address of `member`. With several projects, they have an argument `project`. */
  toolsFor(member: ProjectMember): ToolRegistry;
  /** The name of each project, or its file if another project has the same name. */
  labels(): readonly string[];
  readonly onDidChange: Event<void>;
}

export function createProjectGroup(): ProjectGroup {
  const members: ProjectMember[] = [];
  const expected = new Map<string, PlaceClaims>();
  const changed = new Emitter<void>();
  let running: { readonly runId: string; readonly name: () => string } | undefined;

  const labelOf = (member: ProjectMember): string => {
    const name = member.name();
    return members.some(other => other !== member && other.name() === name) ? member.file : name;
  };
  const handlesOf = ({ studios }: ProjectMember): readonly string[] =>
    studios
      .all()
      .filter(link => link.isOpen())
      .map(({ handle }) => handle);
  const listed = (): readonly ListedProject[] =>
    members.map(member => ({ project: labelOf(member), file: member.file, studios: handlesOf(member) }));
  const named = (project: string): ProjectMember => {
    const found = members.find(({ file }) => file === project) ?? members.find(member => labelOf(member) === project);
    if (found === undefined) throw new AppError('UNKNOWN_PROJECT', { project, projects: listed() });
    return found;
  };
  const ofRun = async (runId: string): Promise<ProjectMember | undefined> => {
    const active = members.find(({ engine }) => engine.find(runId) !== undefined);
    if (active !== undefined) return active;
    for (const member of members) if ((await member.engine.recorded(runId)) !== undefined) return member;
    return undefined;
  };
  /** @throws AppError PROJECT_AMBIGUOUS, UNKNOWN_PROJECT */
  const choose = async (given: Readonly<Record<string, unknown>>, own: ProjectMember): Promise<ProjectMember> => {
    const { project, studio } = given;
    if (project !== undefined) return named(typeof project === 'string' ? project : JSON.stringify(project));
    const runId = given['runId'] ?? given['operationId'];
    const found =
      (typeof studio === 'string' ? members.find(member => handlesOf(member).includes(studio)) : undefined) ??
      (typeof runId === 'string' ? await ofRun(runId) : undefined);
    if (found !== undefined) return found;
    // An agent may have been connected for another folder than that of the only Studio, so the folder must be the same.
    const connected = members.filter(member => handlesOf(member).length > 0);
    const [only] = connected;
    if (only === undefined || connected.length > 1 || only.root !== own.root)
      throw new AppError('PROJECT_AMBIGUOUS', { projects: listed() });
    return only;
  };

  const toolsFor = (own: ProjectMember): ToolRegistry => {
    /** The project whose address is used, then the others. */
    const ordered = (): readonly ProjectMember[] => [own, ...members.filter(member => member !== own)];
    const isOfProject = (name: string): boolean =>
      own.registry.ofToolset('docs')?.listings.some(listing => listing.name === name) !== true;
    const callIn = async (name: string, listing: ToolListing, raw: unknown, call: ToolCall): Promise<ToolResult> => {
      const { project, ...given }: Readonly<Record<string, unknown>> =
        typeof raw === 'object' && raw !== null ? { ...raw } : {};
      try {
        const owners = ordered().filter(member => hasTool(member, name));
        // Bridges of the same folder share what belongs to the folder, such as its Pluto modules.
        const [first] = owners;
        const chosen =
          project === undefined && owners.length === 1 && first !== undefined
            ? first
            : await choose({ ...given, ...(project !== undefined && { project }) }, own);
        const owner = owners.includes(chosen) ? chosen : owners.find(({ root }) => root === chosen.root);
        const result = await owner?.registry.all.call(name, given, call);
        if (result === undefined)
          throw new AppError('UNKNOWN_PROJECT', { project: labelOf(chosen), projects: listed() });
        return withProjectName(result, labelOf(chosen));
      } catch (error) {
        return toolFailure(AppError.from(error), !listing.annotations.readOnlyHint);
      }
    };
    const viewOf = (select: (registry: ToolRegistry) => ToolView | undefined): ToolView => {
      const views = (): readonly ToolView[] => ordered().flatMap(({ registry }) => select(registry) ?? []);
      const first = views()[0] ?? own.registry.all;
      const listings = (): readonly ToolListing[] => {
        const all = new Map(
          views()
            .toReversed()
            .flatMap(view => view.listings.map(listing => [listing.name, listing] as const)),
        );
        // The order of the first view, then tools that only other projects have.
        const names = new Set(views().flatMap(view => view.listings.map(({ name }) => name)));
        const sorted = Array.from(names).flatMap(name => all.get(name) ?? []);
        if (members.length < 2) return sorted;
        const labels = members.map(labelOf);
        return sorted.map(listing => (isOfProject(listing.name) ? withProject(listing, labels) : listing));
      };
      const others = (): readonly ToolView[] => views().filter(view => view !== first);
      return {
        ...first,
        get listings() {
          return listings();
        },
        get resources() {
          return mergedResources(first.resources, () => others().flatMap(({ resources }) => resources));
        },
        get completers() {
          return [...first.completers, ...others().flatMap(({ completers }) => completers)];
        },
        call(name, raw, call) {
          const listing = views()
            .flatMap(view => view.listings)
            .find(one => one.name === name);
          if (listing === undefined) return undefined;
          if (members.length < 2 || !isOfProject(name)) return first.call(name, raw, call);
          return callIn(name, listing, raw, call);
        },
      };
    };
    return {
      get all() {
        return viewOf(registry => registry.all);
      },
      ofToolset(toolsets) {
        const select = (registry: ToolRegistry): ToolView | undefined => registry.ofToolset(toolsets);
        return ordered().some(({ registry }) => select(registry) !== undefined) ? viewOf(select) : undefined;
      },
      add: (...more) => own.registry.add(...more),
    };
  };

  return {
    handles: new StudioHandles(),
    lock: (own, name) => ({
      holder: async () => (await own.holder()) ?? running?.runId,
      async take(runId) {
        if (running !== undefined)
          throw new AppError('SYNC_IN_PROGRESS', { runId: running.runId, project: running.name() });
        const mine = { runId, name };
        running = mine;
        const free = (): void => {
          if (running === mine) running = undefined;
        };
        const taken = await own.take(runId).catch((error: unknown) => {
          free();
          throw error;
        });
        if (taken.holder !== undefined) {
          free();
          return taken;
        }
        return {
          holder: undefined,
          async release() {
            try {
              await taken.release();
            } finally {
              free();
            }
          },
        };
      },
    }),
    expect(file, claims) {
      expected.set(file, claims);
      changed.fire();
    },
    others(file) {
      const loaded = members.flatMap(member => {
        const claims = member.info();
        return claims === undefined ? [] : [[member.file, claims] as const];
      });
      const known = new Map([...expected, ...loaded]);
      known.delete(file);
      return Array.from(known.values());
    },
    join(member) {
      members.push(member);
      changed.fire();
      return {
        [Symbol.dispose]() {
          if (!members.includes(member)) return;
          members.splice(members.indexOf(member), 1);
          expected.delete(member.file);
          changed.fire();
        },
      };
    },
    toolsFor,
    labels: () => members.map(labelOf),
    onDidChange: changed.event,
  };
}

const hasTool = ({ registry }: ProjectMember, name: string): boolean =>
  registry.all.listings.some(listing => listing.name === name);

/** Adds the argument `project`, and the project in the answer. */
function withProject(listing: ToolListing, labels: readonly string[]): ToolListing {
  const { inputSchema, outputSchema } = listing;
  const project = {
    type: 'string',
    enum: labels,
    description:
      'The project of this window. Omit it only if studio, runId or operationId names a run or Studio, or if only one project has a Studio.',
  };
  return {
    ...listing,
    inputSchema: withProperty(inputSchema, project),
    outputSchema: {
      ...outputSchema,
      anyOf: (outputSchema['anyOf'] as readonly JsonObjectSchema[]).map(answer =>
        withProperty(answer, { type: 'string' }),
      ),
    },
  };
}

const withProperty = (schema: JsonObjectSchema, project: object): JsonObjectSchema => ({
  ...schema,
  properties: { ...(schema['properties'] as object | undefined), project },
});
