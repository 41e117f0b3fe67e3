import type { ChannelFrame } from '../../src/ports/studio-channel.ts';

/** The text of a frame, also of one that arrived in pieces. */
export const textOfFrame = (frame: ChannelFrame): string =>
  typeof frame === 'string' ? frame : Buffer.concat(frame).toString('utf8');
