import type { ProjectPath } from '../../src/base/brand.ts';
import type { Git, GitStatus } from '../../src/ports/git.ts';

/** Answers with the values of the test; `undefined` means that git is missing. */
export class FakeGit implements Git {
  answer: GitStatus | undefined;

  constructor(answer?: GitStatus) {
    this.answer = answer;
  }

  async status(signal: AbortSignal): Promise<GitStatus | undefined> {
    signal.throwIfAborted();
    return this.answer;
  }

  /** Texts in `HEAD`, by path. */
  readonly head = new Map<string, string>();

  async committed(path: ProjectPath): Promise<Uint8Array | undefined> {
    const text = this.head.get(path);
    return text === undefined ? undefined : new TextEncoder().encode(text);
  }

  /** The blobs of the repository, by id. */
  readonly blobs = new Map<string, string>();

  async storedBlobs(ids: readonly string[]): Promise<ReadonlySet<string>> {
    return new Set(ids.filter(id => this.blobs.has(id)));
  }

  async blob(id: string): Promise<Uint8Array | undefined> {
    const text = this.blobs.get(id);
    return text === undefined ? undefined : new TextEncoder().encode(text);
  }

  /** The staged paths, in order. */
  readonly staged: string[] = [];

  async stage(paths: readonly ProjectPath[]): Promise<void> {
    this.staged.push(...paths);
  }
}

/** Builds a status from plain lists; all other paths are unchanged. */
export function gitStatus(parts: {
  readonly changed?: readonly string[];
  readonly untracked?: readonly string[];
  readonly ignored?: readonly string[];
  readonly blobs?: Readonly<Record<string, readonly string[]>>;
}): GitStatus {
  const paths = (list: readonly string[] = []): ReadonlySet<ProjectPath> => new Set(list as readonly ProjectPath[]);
  return {
    changed: paths([...(parts.changed ?? []), ...(parts.untracked ?? [])]),
    untracked: paths(parts.untracked),
    ignored: paths(parts.ignored),
    blobs: new Map(Object.entries(parts.blobs ?? {}).map(([path, ids]) => [path as ProjectPath, ids])),
  };
}
