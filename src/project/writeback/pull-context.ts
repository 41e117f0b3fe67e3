import type { Reflection } from '../../roblox/instances/reflection.ts';
import type { FileKinds } from '../file-kinds/file-kinds.ts';
import type { DiskIndex } from '../tree/disk-index.ts';
import type { DiskPorts } from '../tree/disk-ports.ts';
import type { ProjectTree } from '../tree/project-tree.ts';
import type { Inflate } from '../../ports/inflate.ts';

/** The input of a plan: the tree, and the state of files when the tree was read. */
export interface PullContext {
  readonly ports: DiskPorts;
  readonly fileKinds: FileKinds;
  readonly reflection: Reflection;
  readonly inflate: Inflate;
  readonly tree: ProjectTree;
  readonly index: DiskIndex;
}
