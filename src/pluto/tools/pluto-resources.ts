import * as z from 'zod';
import { Emitter, type Event } from '../../base/emitter.ts';
import type { PlutoSession, SessionChange } from '../session/pluto-session.ts';
import { listedDeclarations } from './listed-declarations.ts';
import { instructions } from '../../mcp/instructions.ts';
import type { Completer, ToolsetContent } from '../../mcp/registry.ts';
import type { ResourceSource } from '../../mcp/resource.ts';

const json = 'application/json';
const MODULES = 'pluto://modules';
const SOURCES = 'pluto://source';

/** The MCP resources of the modules. */
export const plutoResources: Pick<ResourceSource, 'listings' | 'templates'> = {
  listings: [
    {
      uri: MODULES,
      name: 'modules',
      title: 'Pluto modules',
      description: 'Every module of the project, and whether it has unsaved edits.',
      mimeType: json,
    },
  ],
  templates: [
    {
      uriTemplate: `${MODULES}/{+path}`,
      name: 'declarations',
      title: 'Declarations of a module',
      description: 'The declarations of one module: id, name, kind, visibility, signature.',
      mimeType: json,
    },
    {
      uriTemplate: `${SOURCES}/{+path}`,
      name: 'source',
      title: 'Source of a module',
      description: 'The source of one module, with unsaved edits.',
      mimeType: 'text/x-pluto',
    },
  ],
};

/** Serves `pluto://modules`, the declarations of each module below it, and the sources at `pluto://source/…`, with unsaved edits. */
export function createPlutoResources(
  onDidChange: Event<SessionChange>,
  read: ResourceSource['read'],
): ResourceSource & Disposable {
  const changed = new Emitter<string>();
  const listening = onDidChange(({ modules }) => {
    changed.fire(MODULES);
    for (const path of modules) {
      changed.fire(`${MODULES}/${encodePath(path)}`);
      changed.fire(`${SOURCES}/${encodePath(path)}`);
    }
  });
  return {
    onDidChange: changed.event,
    ...plutoResources,
    read,
    [Symbol.dispose]: () => listening[Symbol.dispose](),
  };
}

/** Reads a resource of `plutoResources`. Resolves with `undefined` for other URIs. */
export async function readPlutoResource(session: PlutoSession, uri: string): ReturnType<ResourceSource['read']> {
  if (uri === MODULES) {
    const dirty = new Set(session.dirty);
    return asJson({ modules: session.files.map(path => ({ path, is_dirty: dirty.has(path) })) });
  }
  const listed = below(MODULES, uri);
  if (listed !== undefined) {
    const declarations = listedDeclarations((await session.module(listed)).module);
    return asJson({ path: listed, declarations });
  }
  const source = below(SOURCES, uri);
  if (source === undefined) return undefined;
  return { mimeType: 'text/x-pluto', text: (await session.module(source)).module.text };
}

/** The resources, completions and instructions of the toolset. */
export const plutoContent = (resources: ResourceSource): ToolsetContent => ({
  toolset: 'pluto',
  prompts: [],
  resources,
  instructions: instructions.pluto,
  complete: createPlutoCompleter((uri, context) => resources.read(uri, context)),
});

/** Completes the paths of modules in the URI templates of `plutoResources`. */
const createPlutoCompleter =
  (read: ResourceSource['read']): Completer =>
  async (owner, argument) => {
    if (argument !== 'path' || !plutoResources.templates.some(({ uriTemplate }) => uriTemplate === owner))
      return undefined;
    const listed = await read(MODULES, new AbortController().signal);
    const { modules } = Modules.parse(JSON.parse(listed?.text ?? '{"modules":[]}'));
    return modules.map(({ path }) => path);
  };

const Modules = z.object({ modules: z.array(z.object({ path: z.string() })) });

const asJson = (value: unknown) => ({ mimeType: json, text: JSON.stringify(value, null, 2) });

const encodePath = (path: string): string => path.split('/').map(encodeURIComponent).join('/');

/** The decoded path of a URI below `prefix`; `undefined` for other URIs. */
function below(prefix: string, uri: string): string | undefined {
  if (!uri.startsWith(`${prefix}/`)) return undefined;
  try {
    return decodeURIComponent(uri.slice(prefix.length + 1));
  } catch {
    return undefined;
  }
}
