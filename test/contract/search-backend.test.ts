import { rgPath } from '@vscode/ripgrep';
import { nodeClock } from '../../src/adapters/node/clock.ts';
import { nodeRootFiles } from '../../src/adapters/roots/node-root-files.ts';
import { createRipgrepSearch } from '../../src/adapters/search/ripgrep.ts';
import { createWalkerSearch } from '../../src/core/retrieval/search/walker-search.ts';
import { searchBackendContract } from './search-backend.contract.ts';

searchBackendContract('ripgrep', createRipgrepSearch(rgPath));
searchBackendContract('walker', createWalkerSearch(nodeRootFiles, nodeClock));
