import { createProgramRunner } from '../program/host/program-runner.ts';
import { openPlutoToolset } from '../tools/open-toolset.ts';
import type { OpenPlutoToolset } from '../tools/pluto-toolset.ts';

/** The toolset of an MCP server without an editor. */
export const openToolset: OpenPlutoToolset = (host, options, signal) => {
  const programs = createProgramRunner({ folder: host.files.root, environment: process.env, startedBy: 'agent' });
  return openPlutoToolset({ ...host, programs }, options, signal);
};
