/** Containers as the text that stands for them. */
export const CONTAINER_SCHEME = 'atlas-pluto';
/** Modules that come with the language, read-only; the query names the folder that asked. */
export const STD_SCHEME = 'atlas-pluto-std';
export const LANGUAGE_ID = 'pluto';
