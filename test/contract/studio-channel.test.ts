import { memoryChannel } from '../harness/memory-channel.ts';
import { socketChannelPair } from '../harness/socket-channel-pair.ts';
import { studioChannelContract } from './studio-channel.contract.ts';

studioChannelContract('memory', async () => ({ ...memoryChannel(), async [Symbol.asyncDispose]() {} }));
studioChannelContract('ws', () => socketChannelPair());
