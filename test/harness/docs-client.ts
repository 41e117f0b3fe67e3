import { nodeClock } from '../../src/adapters/node/clock.ts';
import { createToolRegistry, type ToolView } from '../../src/mcp/registry.ts';
import type { RootHost } from '../../src/docs/ports/root-host.ts';
import { docsTools } from '../../src/docs/tools/docs-toolset.ts';
import { createCompatView } from '../../src/docs/tools/compat/compat-view.ts';
import { retrievalOver, rootHost } from './root-host.ts';
import { toolCall } from './tool-call.ts';

type Json = Readonly<Record<string, unknown>>;
export interface DocsHit {
  readonly root: string;
  readonly type: string;
  readonly path: string;
  readonly line: number;
  readonly preview: string;
  readonly why?: string;
}
export interface DocsAnswer {
  readonly isError: boolean;
  readonly body: Json;
  readonly result: unknown;
  readonly hits: readonly DocsHit[];
  readonly meta: Json;
  /** The error code, or `undefined` on success. */
  readonly code: string | undefined;
  readonly error: Json;
}

/** The docs tools over roots on disk, called in process. */
export function docsClient(environment: Readonly<Record<string, string | undefined>>, changed: Partial<RootHost> = {}) {
  const retrieval = retrievalOver(environment, changed);
  const deps = { retrieval, clock: nodeClock, gitRoots: rootHost(environment, changed).gitRoots };
  const view: ToolView = createToolRegistry(docsTools, deps).all;
  return {
    retrieval,
    view,
    compat: createCompatView(deps, view),
    async call(name: string, args: Json = {}, signal = new AbortController().signal): Promise<DocsAnswer> {
      const answer = await view.call(name, args, toolCall({ signal }));
      if (answer === undefined) throw new Error(`no tool ${name}`);
      const body = answer.structuredContent;
      const error = (body['error'] ?? {}) as Json;
      return {
        isError: answer.isError,
        body,
        result: body['result'],
        hits: (Array.isArray(body['result']) ? body['result'] : []) as readonly DocsHit[],
        meta: (body['meta'] ?? {}) as Json,
        code: error['code'] as string | undefined,
        error,
      };
    },
  };
}
