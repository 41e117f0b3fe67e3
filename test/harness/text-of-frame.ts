import type { ChannelFrame } from '../../src/ports/studio-channel.ts';

/** The text of a frame, which may have arrived in pieces. */
export const textOfFrame = (frame: ChannelFrame): string =>
  typeof frame === 'string' ? frame : Buffer.concat(frame).toString('utf8');
