/** Containers, shown as their views. */
export const CONTAINER_SCHEME = 'atlas-pluto';
/** Modules of the standard library, read-only. The query is the workspace folder. */
export const STD_SCHEME = 'atlas-pluto-std';
export const LANGUAGE_ID = 'pluto';
