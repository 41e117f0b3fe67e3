import { rgPath } from '@vscode/ripgrep';
import { nodeClock } from '../../src/adapters/node/clock.ts';
import { nodeRootFiles } from '../../src/docs/adapters/files/node-root-files.ts';
import { createRipgrepSearch } from '../../src/docs/adapters/ripgrep/ripgrep.ts';
import { createWalkerSearch } from '../../src/docs/search/walker-search.ts';
import { searchBackendContract } from './search-backend.contract.ts';

searchBackendContract('ripgrep', createRipgrepSearch(rgPath));
searchBackendContract('walker', createWalkerSearch(nodeRootFiles, nodeClock));
