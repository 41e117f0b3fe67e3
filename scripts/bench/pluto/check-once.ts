/** `node check-once.ts DIR`: reads and checks a project, as a program of its own, and prints how many findings there are. */
import { nodeHasher as hasher } from '../../../src/adapters/node/hasher.ts';
import { createNodeFileSystem } from '../../../src/adapters/fs/node-file-system.ts';
import { readOpenAtOnce } from '../../../src/adapters/fs/read-open.ts';
import { createChecker } from '../../../src/core/pluto/check/checker.ts';
import { projectSource } from '../../../src/core/pluto/check/project-source.ts';
import { PlutoProject } from '../../../src/core/pluto/project/pluto-project.ts';

const { signal } = new AbortController();
const project = await PlutoProject.open(
  { files: createNodeFileSystem(process.argv[2] ?? '.', hasher, readOpenAtOnce), hasher },
  signal,
);
await project.loadAll(signal);
console.log(createChecker(projectSource(project, hasher)).check().length);
